// Written by scripts/typescript_types.py from meldwise.protocol: do not edit.
//
// Fields marked with ? may be left out of what a client sends. docs/protocol.md explains
// how the messages are used.

export const VERSION = 1;
export const SUBPROTOCOL = "meldwise.1";
export const CLOSE_FULL = 4429;
export const CLOSE_MALFORMED = 4400;
export const CLOSE_NO_SESSION = 4401;
export const CLOSE_NO_TABLE = 4404;
export const CLOSE_REFUSED = 4403;
export const CLOSE_SLOW = 4408;
export const CLOSE_VERSION = 4426;

export type Tile = string;
export type Millis = number;

export const PHRASES = ["hello", "good_luck", "well_played", "thanks", "sorry", "one_moment", "your_turn", "so_close", "good_game", "again", "goodbye"] as const;
export type Phrase = (typeof PHRASES)[number];

/** The codes of errors and refusals, explained in docs/errors.md. */
export const CODES = [
  "notation.tile",
  "notation.meld",
  "notation.position",
  "notation.ambiguous",
  "notation.no_reading",
  "meld.empty",
  "meld.too_short",
  "meld.too_long",
  "meld.no_real_tile",
  "meld.mixed_colours",
  "meld.not_consecutive",
  "meld.below_one",
  "meld.above_thirteen",
  "meld.mixed_numbers",
  "meld.duplicate_colour",
  "meld.two_jokers",
  "turn.nothing_played",
  "turn.table_tile_missing",
  "turn.tile_not_held",
  "turn.table_before_opening",
  "turn.opening_below_minimum",
  "turn.must_play",
  "joker.not_replaced",
  "joker.not_from_hand",
  "joker.both_colours",
  "joker.meld_closed",
  "joker.not_in_new_meld",
  "joker.not_in_own_meld",
  "action.not_your_turn",
  "action.no_such_seat",
  "action.round_over",
  "action.round_running",
  "action.no_round",
  "action.match_over",
  "action.stock_empty",
  "action.stock_not_empty",
  "action.illegal_play",
  "action.no_timer",
  "action.needs_oracle",
  "action.not_understood",
  "action.no_redeal",
  "action.seat_left",
  "action.seat_not_left",
  "action.seat_taken_over",
  "action.no_commitment",
  "action.committed",
  "action.clock_wanted",
  "action.clock_backwards",
  "action.time_left",
  "action.time_up",
  "seat.bad_text",
  "rules.unknown_field",
  "rules.bad_value",
  "rules.out_of_range",
  "rules.players_range",
  "rules.box_too_small",
  "rules.box_players",
  "rules.pickup_needs_no_replacement",
  "rules.closed_pickup",
  "rules.unknown_game",
  "rules.name_taken",
  "rules.file",
  "rules.player_count",
  "shuffle.bad_seed",
  "shuffle.commitment",
  "record.syntax",
  "record.version",
  "record.missing_field",
  "record.bad_value",
  "record.action_syntax",
  "record.illegal_action",
  "record.tiles_differ",
  "record.commitment",
  "record.result",
  "record.unfinished",
  "player.unknown",
  "player.bad_option",
  "player.bad_value",
  "player.no_clock",
  "player.file",
  "player.start",
  "player.ended",
  "player.silent",
  "player.nonsense",
  "player.illegal",
  "player.given_up",
  "arena.entrants",
  "arena.match_by_time",
  "arena.bad_test",
  "arena.workers",
  "arena.store_broken",
  "arena.store_version",
  "arena.store_settings",
  "arena.store_busy",
  "solver.invalid_meld",
  "solver.too_many_tiles",
  "solver.not_a_position",
  "solver.unarrangeable",
  "solver.not_these_tiles",
  "solver.objective",
  "solver.budget",
  "solver.kernel_mode",
  "solver.kernel_required",
  "account.no_session",
  "account.bad_name",
  "limit.rate",
  "limit.size",
  "limit.tables",
  "limit.connections",
  "request.malformed",
  "request.unknown",
  "request.method",
  "request.origin",
  "request.version",
  "server.stopping",
  "server.error",
  "server.schema",
  "server.setting",
  "server.unreachable",
  "table.unknown",
  "table.closed",
  "table.full",
  "table.kicked",
  "table.started",
  "table.not_started",
  "table.not_over",
  "table.not_host",
  "table.seat_taken",
  "table.not_your_seat",
  "table.no_seat",
  "table.no_spectators",
  "table.no_hints",
  "table.no_pause",
  "table.paused",
  "table.not_paused",
  "table.no_chat",
  "table.nothing_said",
  "table.record_secret",
  "table.not_committed",
  "command.stale",
] as const;
export type Code = (typeof CODES)[number];

/** Every rule of a table; the defaults are those of the game RRRummy. */
export interface Rules {
  /** the fewest players. */
  min_players: number;
  /** the most players; five or six need `copies` 3. */
  max_players: number;
  /** how many of each face the box holds: 2 (106 tiles with two jokers) or 3 (160 with four). */
  copies: number;
  /** how many jokers the box holds. */
  jokers: number;
  /** tiles dealt to each player. */
  hand_size: number;
  /** who begins the rounds after the first. */
  first_player: "draw" | "winner" | "rotate";
  /** in which direction turns go round. */
  direction: "clockwise" | "anticlockwise";
  /** the least sum of the new melds of an opening, in points. */
  opening_minimum: number;
  /** whether the opening turn may go on with table moves once the minimum is down. */
  opening_table_moves: boolean;
  /** when a table joker may be taken. */
  joker_pickup: "always" | "after_replacement";
  /** where a replacing tile comes from. */
  replacement_from: "anywhere" | "hand";
  /** whether a meld that keeps its joker stays whole. */
  closed_joker_melds: boolean;
  /** where a freed joker is placed. */
  freed_joker_goes: "anywhere" | "new_meld" | "new_own_meld";
  /** whether a three-tile set gives up its joker only for both the colours that it lacks. */
  both_colours: boolean;
  /** whether a meld may hold more than one joker. */
  two_jokers_in_meld: boolean;
  /** when a player who can play has to. */
  must_play: "never" | "stock_empty" | "always";
  /** what an invalid end of turn leads to. */
  invalid_end: "penalty" | "refuse";
  /** tiles drawn for an invalid end of turn. */
  penalty_tiles: number;
  /** turns skipped besides. */
  penalty_skips: number;
  /** whether everybody has one last turn after the last tile is drawn. */
  last_turns: boolean;
  /** how many dealt pairs give the right to ask for a new deal; 0 for none. */
  redeal_pairs: number;
  /** seconds for a turn; null for no limit. */
  timer: number | null;
  /** what a joker left in hand costs, in points. */
  joker_in_hand: number;
  /** what a loser who has not opened pays besides, in points. */
  unopened_surcharge: number;
  /** how a blocked round is scored. */
  blocked_score: "rrrummy" | "box" | "plain";
  /** what ends a match. */
  match_end: "rounds" | "time" | "target";
  /** after how many rounds, seconds or points. */
  match_length: number;
  /** seconds after which a computer player takes a leaver's seat. */
  leaver_grace: number;
}

/** What a joker in a meld stands for. */
export interface Joker {
  /** its index in the meld. */
  cell: number;
  /** the tiles that it stands for: one in a run, each lacking colour in a set. */
  stands_for: Tile[];
}

/** A meld on the table. */
export interface Meld {
  /** run or set. */
  kind: "run" | "set";
  /** its tiles by position. */
  tiles: Tile[];
  /** what its jokers stand for. */
  jokers: Joker[];
}

/** A group of tiles in a draft, finished or not. */
export interface DraftMeld {
  /**
   * run or set; null to let the server tell: the one that makes these cells a valid meld, a set
   * where both do.
   */
  kind?: "run" | "set" | null;
  /** its tiles by position. */
  tiles: Tile[];
}

/** A seat's arrangement as the server keeps it. */
export interface Draft {
  /** whose it is. */
  seat: number;
  /** the round it was made in, from 1. */
  round: number;
  /** the turn it was made in. */
  turn: number;
  /** counts the arrangements of a seat; a higher one replaces a lower one. */
  revision: number;
  /** the whole table as arranged. */
  melds: DraftMeld[];
  /** the rows of the hand in the seat's own order; empty for others' eyes. */
  hand: Tile[][];
}

/** One thing that is wrong with an arrangement. */
export interface Problem {
  /** the rule that is broken, of `docs/errors.md`. */
  code: string;
  /** a sentence in the user's language. */
  message: string;
  /**
   * the index of the meld: in the draft, or in the table at the start of the turn for codes that
   * begin with `joker.` and for `turn.table_before_opening`.
   */
  place: number | null;
  /** the index of the tile in that meld. */
  cell: number | null;
  /** the tiles that are wrong, missing or in the way. */
  tiles: Tile[];
  /** tiles any one of which would mend it. */
  wanted: Tile[];
  /** what there is of something counted. */
  have: number | null;
  /** how much of it there should be. */
  need: number | null;
}

/** What the server makes of one group of a draft. */
export interface Group {
  /** run or set, as declared or as read. */
  kind: "run" | "set";
  /** whether it is a meld by itself. */
  valid: boolean;
  /** the sum of its numbers, jokers counting as what they stand for; 0 if invalid. */
  value: number;
  /** what its jokers stand for, as far as that is known. */
  jokers: Joker[];
  /** other melds that the same tiles can be, where there are jokers. */
  readings: Meld[];
}

/** What a joker does in a play. */
export interface JokerUse {
  /** the index of its meld on the table after the play. */
  place: number;
  /** its index in that meld. */
  cell: number;
  /** whether it was taken from the table to stand for something else. */
  freed: boolean;
  /** the index of its meld before the play; null from the hand. */
  from_place: number | null;
  /** its index there; null from the hand. */
  from_cell: number | null;
  /** the tiles from the hand that freed it. */
  replaced_by: Tile[];
}

/** What the rules say of an arrangement as an end of the turn. */
export interface Verdict {
  /** whether the turn could end like this. */
  legal: boolean;
  /** the tiles placed from the hand. */
  played: Tile[];
  /** the value of the opening so far; null for a seat that has opened. */
  opening: number | null;
  /** what it has to reach; null for a seat that has opened. */
  opening_need: number | null;
  /** tiles of the table that lie in no group and have to be placed again. */
  missing: Tile[];
  /** each group by itself, in the order of the draft. */
  groups: Group[];
  /** all that is wrong; empty for a legal play. */
  problems: Problem[];
  /** what every joker does, if the play is legal. */
  jokers: JokerUse[];
}

/** A hand that the client may see. */
export interface Hand {
  /** whose it is. */
  seat: number;
  /** its tiles in the order red, yellow, black, blue, jokers. */
  tiles: Tile[];
  /** whether the seat may ask for a new deal now. */
  may_redeal: boolean;
}

/** The outcome of a round. */
export interface RoundResult {
  /** the number of the round, from 1. */
  number: number;
  /** whether somebody emptied the hand, or nobody could go on. */
  end: "blocked" | "won";
  /** the winning seat. */
  winner: number;
  /** points of the round by seat. */
  scores: number[];
  /** the tiles left in each hand. */
  hands: Tile[][];
  /** who had opened. */
  opened: boolean[];
}

/** Somebody sat down; `user` may hold several seats. */
export interface Seated {
  type: "seated";
  seat: number;
  user: string;
  name: string;
}

/** A computer player was given a seat. */
export interface ComputerSeated {
  type: "computer_seated";
  seat: number;
  name: string;
  player: string;
}

/** A seat became free before the match; `kicked` if the host did it to a person. */
export interface SeatOpened {
  type: "seat_opened";
  seat: number;
  kicked: boolean;
}

/** Another user is the host now. */
export interface HostChanged {
  type: "host_changed";
  user: string;
}

/** The host changed the table's settings; the update holds the new ones. */
export interface SettingsChanged {
  type: "settings_changed";
}

/** The match began: nobody else can sit down. */
export interface MatchStarted {
  type: "match_started";
}

/** The server has committed to the seed of a round; clients may add seeds now. */
export interface ShuffleCommitted {
  type: "shuffle_committed";
  number: number;
  commitment: string;
}

/** A seat is ready for the round; `seed` is what it adds to the shuffle. */
export interface Ready {
  type: "ready";
  seat: number;
  seed: string;
}

/** A tile that a seat drew for who begins. */
export interface StartDraw {
  seat: number;
  tile: Tile;
}

/** Tiles drawn for who begins; the highest number does, ties draw again. */
export interface DrewForStart {
  type: "drew_for_start";
  draws: StartDraw[];
}

/** A round has begun; `first` is the seat that begins. */
export interface RoundStarted {
  type: "round_started";
  number: number;
  first: number;
}

/** Hands were dealt: `count` tiles each, `stock` left; a later `deal` is a new one. */
export interface Dealt {
  type: "dealt";
  hands: (Tile[] | null)[];
  count: number;
  stock: number;
  deal: number;
}

/** A seat with enough dealt pairs has asked for a new deal. */
export interface RedealAsked {
  type: "redeal_asked";
  seat: number;
}

/** It is this seat's turn. */
export interface TurnBegan {
  type: "turn_began";
  seat: number;
  turn: number;
}

/** A legal play. */
export interface Played {
  type: "played";
  /** who played. */
  seat: number;
  /** what came from the hand. */
  tiles: Tile[];
  /** the melds that were changed, as they lay before. */
  before: Meld[];
  /** the new and changed melds. */
  after: Meld[];
  /** the value of the opening; null unless this was it. */
  opening: number | null;
  /** what the jokers on the table do. */
  jokers: JokerUse[];
  /** tiles left in the hand. */
  left: number;
  /** choice, or a time-out that found a legal draft. */
  cause: "choice" | "invalid" | "nothing_played" | "time_out";
}

/** A turn that ended with `count` tiles from the stock. */
export interface Drew {
  type: "drew";
  seat: number;
  tiles: Tile[];
  count: number;
  stock: number;
  cause: "choice" | "invalid" | "nothing_played" | "time_out";
}

/** A turn without a play while the stock was empty. */
export interface Passed {
  type: "passed";
  seat: number;
  cause: "choice" | "invalid" | "nothing_played" | "time_out";
}

/** An invalid end of turn: all was put back, tiles were drawn; reasons for own eyes only. */
export interface Penalised {
  type: "penalised";
  seat: number;
  tiles: Tile[];
  count: number;
  stock: number;
  problems: Problem[];
  cause: "choice" | "invalid" | "nothing_played" | "time_out";
}

/** A seat's turn was skipped; `left` more are to be skipped. */
export interface Skipped {
  type: "skipped";
  seat: number;
  left: number;
}

/** The last tile was drawn; `last_turns` are left if the rules count them. */
export interface StockEmptied {
  type: "stock_emptied";
  last_turns: number | null;
}

/** The round is over, with all hands. */
export interface RoundEnded {
  type: "round_ended";
  result: RoundResult;
}

/** The seeds that the round's tiles followed from; `server` in 64 hex digits. */
export interface SeedRevealed {
  type: "seed_revealed";
  number: number;
  server: string;
  players: string[];
}

/** The match is over; several winners share a tie. */
export interface MatchEnded {
  type: "match_ended";
  totals: number[];
  winners: number[];
}

/** A seat's player lost the connection; at `until` a computer player sits in. */
export interface Away {
  type: "away";
  seat: number;
  until: number | null;
}

/** A seat's player is connected again. */
export interface Back {
  type: "back";
  seat: number;
}

/** A player has left the match, by own will or by staying away. */
export interface SeatLeft {
  type: "seat_left";
  seat: number;
  chosen: boolean;
}

/** A computer player sits in for the one who left. */
export interface SeatTakenOver {
  type: "seat_taken_over";
  seat: number;
  player: string;
}

/** The player who had left is back. */
export interface SeatReturned {
  type: "seat_returned";
  seat: number;
}

/** A seat asks for a pause, or no longer does. */
export interface PauseWanted {
  type: "pause_wanted";
  seat: number;
  want: boolean;
}

/** The clock stands: everybody agreed, or nobody is there to play on. */
export interface Paused {
  type: "paused";
  reason: "absent" | "agreed";
}

/** The clock runs again. */
export interface Resumed {
  type: "resumed";
}

/** A line of chat: a text or a quick phrase, from a seat or a spectator (seat null). */
export interface Said {
  type: "said";
  user: string;
  name: string;
  seat: number | null;
  text: string;
  phrase: Phrase | null;
}

/** There is a new table with the same seats. */
export interface Rematched {
  type: "rematched";
  table: string;
}

/** The table is closed. */
export interface Closed {
  type: "closed";
  reason: "abandoned" | "host";
}

/** Sits down at a seat, or the first free one; `name` tells several own seats apart. */
export interface Sit {
  type: "sit";
  id: string;
  seen: number;
  seat?: number | null;
  name?: string | null;
}

/** Gives a free seat to a computer player (host, before the match). */
export interface AddComputer {
  type: "add_computer";
  id: string;
  seen: number;
  seat: number;
  player: string;
}

/** Frees a seat before the match: one's own, or any as the host, who thereby kicks. */
export interface OpenSeat {
  type: "open_seat";
  id: string;
  seen: number;
  seat: number;
}

/** Settings of a table; what is null stays as it is. */
export interface TableChanges {
  /** what the table is called. */
  title?: string | null;
  /** the name of a preset; resets the rules to its own. */
  game?: string | null;
  /** fields of the rules that differ from the preset's. */
  rules?: Record<string, string | number | boolean | null> | null;
  /** whether the table is kept off the public list. */
  private?: boolean | null;
  /** whether people without a seat may watch. */
  spectators?: boolean | null;
  /** whether the others see a turn while it is arranged. */
  drafts_shown?: boolean | null;
  /** whether players may ask for hints. */
  hints?: boolean | null;
  /** everything, quick phrases only, or none. */
  chat?: "all" | "none" | "phrases" | null;
  /** how long computer players take: at once, quick, or like people. */
  pace?: "natural" | "none" | "quick" | null;
  /** how the table looks; a word for the client. */
  theme?: string | null;
}

/** Changes the settings (host, before the match). */
export interface Configure {
  type: "configure";
  id: string;
  seen: number;
  settings: TableChanges;
}

/** Starts the match (host); empty seats are taken away. */
export interface Start {
  type: "start";
  id: string;
  seen: number;
}

/** Is ready for the round whose shuffle was committed to, adding a seed of one's own. */
export interface BeReady {
  type: "be_ready";
  id: string;
  seen: number;
  seat: number;
  seed?: string;
}

/** Keeps an arrangement on the server; the reply comes when it is stored. */
export interface KeepDraft {
  type: "keep_draft";
  id: string;
  seen: number;
  /** whose it is. */
  seat: number;
  /** counts this seat's arrangements; one not above the kept one is ignored. */
  revision: number;
  /** the whole table as arranged; unfinished groups are fine. */
  melds: DraftMeld[];
  /** the rows of the hand, in the seat's own order. */
  hand?: Tile[][];
  /** whether to answer with a verdict. */
  check?: boolean;
}

/** Asks what the rules say of an arrangement, also when it is not one's turn. */
export interface Check {
  type: "check";
  id: string;
  seen: number;
  seat: number;
  melds: DraftMeld[];
}

/** Ends the turn with a table. */
export interface Play {
  type: "play";
  id: string;
  seen: number;
  seat: number;
  melds: DraftMeld[];
}

/** Draws a tile; own tiles of the draft go back to the hand. */
export interface Draw {
  type: "draw";
  id: string;
  seen: number;
  seat: number;
}

/** Ends the turn without a play when the stock is empty. */
export interface Pass {
  type: "pass";
  id: string;
  seen: number;
  seat: number;
}

/** Asks for a new deal before the first turn, by right of dealt pairs. */
export interface AskRedeal {
  type: "ask_redeal";
  id: string;
  seen: number;
  seat: number;
}

/** Asks which tiles can be played (`tiles`), or for a best play (`play`). */
export interface Hint {
  type: "hint";
  id: string;
  seen: number;
  seat: number;
  what: "play" | "tiles";
}

/** Chats: a text or a quick phrase. */
export interface Say {
  type: "say";
  id: string;
  seen: number;
  text?: string;
  phrase?: Phrase | null;
}

/** Asks for a pause, or takes that back; it begins when all who are there ask. */
export interface Pause {
  type: "pause";
  id: string;
  seen: number;
  want?: boolean;
}

/** Ends a pause. */
export interface Resume {
  type: "resume";
  id: string;
  seen: number;
}

/** Leaves the table: before the match the seats become free, later they are left. */
export interface Leave {
  type: "leave";
  id: string;
  seen: number;
}

/** Takes back the seats that one had left. */
export interface Return {
  type: "return";
  id: string;
  seen: number;
}

/** Opens a new table with the same seats and settings when the match is over. */
export interface Rematch {
  type: "rematch";
  id: string;
  seen: number;
}

/** Closes the table (host, before the match). */
export interface Close {
  type: "close";
  id: string;
  seen: number;
}

/** The first message of a client. */
export interface Hello {
  type: "hello";
  /** the version of the protocol. */
  version: number;
  /** the bearer token, where neither a header nor a cookie carries one. */
  token?: string | null;
  /** the sequence number of the newest update that was seen; null at first. */
  seen?: number | null;
}

/** Asks for a sign of life and the server's time; `echo` comes back. */
export interface Ping {
  type: "ping";
  echo?: number;
}

/** What the host has chosen for a table. */
export interface Settings {
  /** what the table is called; may be empty. */
  title: string;
  /** the name of the preset that the rules are nearest to. */
  game: string;
  /** its title, or that of the mixture. */
  game_title: string;
  /** all rules. */
  rules: Rules;
  /** the rules in one line of notation. */
  rules_text: string;
  /** whether the table is kept off the public list. */
  private: boolean;
  /** whether people without a seat may watch. */
  spectators: boolean;
  /** whether the others see a turn while it is arranged. */
  drafts_shown: boolean;
  /** whether players may ask for hints. */
  hints: boolean;
  /** everything, quick phrases only, or none. */
  chat: "all" | "none" | "phrases";
  /** how long computer players take. */
  pace: "natural" | "none" | "quick";
  /** how the table looks; a word for the client. */
  theme: string;
}

/** A seat and what everybody may know of who sits there. */
export interface SeatState {
  /** free, a person, or a computer player. */
  kind: "computer" | "free" | "person";
  /** the name that is shown; empty for a free seat. */
  name: string;
  /** the person's user id; null otherwise. */
  user: string | null;
  /** the text name of the computer player; null for a person. */
  player: string | null;
  /** whether the person is there; true for a computer player. */
  connected: boolean;
  /** when a computer player will sit in for one who is away. */
  away_until: number | null;
  /** whether the person has left the match. */
  left: boolean;
  /** the computer player that sits in; null if none does. */
  stand_in: string | null;
  /** whether the seat is ready for the next round. */
  ready: boolean;
  /** whether it asks for a pause. */
  wants_pause: boolean;
  /** points of the finished rounds. */
  total: number;
  /** how many tiles the hand holds. */
  tiles: number;
  /** whether it has opened in this round. */
  opened: boolean;
  /** how many of its turns are still to be skipped. */
  skips: number;
}

/** Time at a table, on the server's clock. */
export interface Clock {
  /** the time at which the message was made. */
  now: number;
  /**
   * when the turn, or the wait for the next round, ends by itself; null without a limit, and in a
   * pause.
   */
  deadline: number | null;
  /** milliseconds left when the pause began; null outside a pause. */
  left: number | null;
  /** what the deadline ends: a turn, or the wait before a round. */
  what: "round" | "turn" | null;
}

/** A round as the client may know it. */
export interface RoundState {
  /** the number of the round, from 1. */
  number: number;
  /** the seat that began. */
  first: number;
  /** whose turn it is. */
  seat: number;
  /** the number of the turn, from 1. */
  turn: number;
  /** the melds on the table. */
  table: Meld[];
  /** how many tiles are left to draw. */
  stock: number;
  /** how many turns in a row were passes. */
  passes: number;
  /** how many turns are left under `last_turns`; null before that. */
  turns_left: number | null;
  /** whether the round has ended. */
  over: boolean;
}

/** A match as the client may know it. */
export interface MatchState {
  /** the running or last round; null before the first. */
  round: RoundState | null;
  /** the number of the round that begins next. */
  next_round: number;
  /** the hands that the client may see: those of its own seats. */
  hands: Hand[];
  /** the outcomes of the finished rounds. */
  results: RoundResult[];
  /** the commitment for the running or the next round, in 64 hex digits. */
  commitment: string | null;
  /** the winning seats; null while the match goes on. */
  winners: number[] | null;
}

/** All that a client shows of a table, besides chat, drafts and settings. */
export interface TableState {
  /** the sequence number of the last step; each step counts one. */
  seq: number;
  /** waiting for people, playing, paused, over, or closed. */
  status: "closed" | "over" | "paused" | "playing" | "waiting";
  /** the user who may change and start the table. */
  host: string;
  /** the seats, clockwise. */
  seats: SeatState[];
  /** the seats that the client holds. */
  mine: number[];
  /** the match; null before it starts. */
  match: MatchState | null;
  /** the time. */
  clock: Clock;
  /** the table of the rematch; null if there is none. */
  rematch: string | null;
}

/** One step of a table: its sequence number, its time, and what happened. */
export interface Step {
  seq: number;
  at: number;
  events: Event[];
}

/** The answer to Hello: everything that a client needs to show the table. */
export interface Welcome {
  type: "welcome";
  /** the id of the table. */
  table: string;
  /** the invite code; null for spectators. */
  code: string | null;
  /** the client's user id. */
  user: string;
  /** the table's settings. */
  settings: Settings;
  /** the state of the table. */
  state: TableState;
  /** the drafts of the client's seats, and of the seat to move if they are shown. */
  drafts: Draft[];
  /** the steps after the one seen, or those of the running round. */
  history: Step[];
  /** the newest lines of chat. */
  chat: Step[];
  /** how many spectators there are. */
  watchers: number;
}

/** One step of the table; steps come in order, without a gap. */
export interface Update {
  type: "update";
  /** the sequence number of the step. */
  seq: number;
  /** its time. */
  at: number;
  /** what happened, in order. */
  events: Event[];
  /** the state after the step. */
  state: TableState;
  /** the settings if the step changed them; null otherwise. */
  settings: Settings | null;
  /** the id of the client's own command that led to it; null otherwise. */
  command: string | null;
}

/** A command was done. */
export interface Reply {
  type: "reply";
  /** the id of the command. */
  to: string;
  /** the sequence number of the step that it made; that of the state if it made none. */
  seq: number;
  /** whether it had been done before, under the same id. */
  repeated: boolean;
}

/** A command was refused, or a message could not be read. */
export interface Failed {
  type: "failed";
  /** the id of the command; null if it could not be read. */
  to: string | null;
  /** what is wrong, of `docs/errors.md`. */
  code: string;
  /** the particulars, by name. */
  fields: Record<string, unknown>;
  /** a sentence in the user's language. */
  message: string;
  /** why a proposed table is illegal, where that is the reason. */
  verdict: Verdict | null;
}

/** The answer to a check, or to a draft that asked for one. */
export interface Verdicted {
  type: "verdict";
  to: string;
  seat: number;
  verdict: Verdict;
}

/** A draft changed: another client's of the same seat, or that of the seat to move. */
export interface Drafted {
  type: "draft";
  draft: Draft;
}

/** Where tiles of a new meld come from: `place` of an old meld, or null for the hand. */
export interface TileSource {
  place: number | null;
  tiles: Tile[];
}

/** One meld of a hint that is not on the table yet, and how it comes about. */
export interface HintStep {
  /** the new meld. */
  meld: Meld;
  /** the index of the old meld whose place it takes; null for a new one. */
  grows: number | null;
  /** where its tiles come from. */
  sources: TileSource[];
}

/** A tile of the hand, and whether some legal play uses it. */
export interface HintTiles {
  tile: Tile;
  playable: boolean;
}

/** The answer to a hint. */
export interface Hinted {
  type: "hint";
  /** the id of the command. */
  to: string;
  /** whose hand it is about. */
  seat: number;
  /** which tiles can be played; empty if that was not asked. */
  playable: HintTiles[];
  /** the most tiles that can be played in this turn. */
  most: number;
  /** the table after a best play; null if there is no play, or it was not asked. */
  table: Meld[] | null;
  /** the tiles that it places. */
  played: Tile[];
  /** how to come there. */
  steps: HintStep[];
  /** whether no play places more tiles. */
  proven: boolean;
}

/** How many spectators there are now. */
export interface Watchers {
  type: "watchers";
  count: number;
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
  echo: number;
  now: number;
}

/** The server closes the connection; `again` after some milliseconds, or never (null). */
export interface Bye {
  type: "bye";
  code: string;
  again: number | null;
}

/** The body of every refused request. */
export interface Refusal {
  /** what is wrong, of `docs/errors.md`. */
  code: string;
  /** the particulars, by name. */
  fields: Record<string, unknown>;
  /** a sentence in the user's language. */
  message: string;
}

/** Becomes a guest: a name is all that it takes. */
export interface SignIn {
  name: string;
  language?: string;
}

/** Changes of a user; what is null stays. */
export interface UserChanges {
  name?: string | null;
  language?: string | null;
}

/** A person, as that person sees it. */
export interface User {
  id: string;
  name: string;
  language: string;
  guest: boolean;
  since: number;
}

/** A user and the bearer token, which is told this once; a cookie carries it too. */
export interface SignedIn {
  user: User;
  token: string;
}

/** A value that a rule can take, and its name in words. */
export interface Choice {
  value: string;
  label: string;
}

/** A rule as a form shows it. */
export interface RuleField {
  /** the field of `Rules`, the key of its texts. */
  name: string;
  /** the group of the form that it stands in. */
  group: string;
  /** a whole number, one that may be off (null), a switch, or a choice. */
  kind: "choice" | "integer" | "optional_integer" | "switch";
  /** its name in the user's language. */
  label: string;
  /** what it means, in the user's language. */
  help: string;
  /** the least number; null for other kinds, and for `match_length`. */
  low: number | null;
  /** the greatest number. */
  high: number | null;
  /** what the number counts: tiles, points, seconds, players, turns, or nothing. */
  unit: "" | "pairs" | "players" | "points" | "seconds" | "tiles" | "turns";
  /** the values of a choice. */
  choices: Choice[];
  /** for `match_length`, the range for each value of `match_end`. */
  ranges: Record<string, number[]>;
  /** the value in the game RRRummy. */
  default: string | number | boolean | null;
}

/** A group of rules: its key and its title in the user's language. */
export interface RuleGroup {
  name: string;
  title: string;
}

/** A named game: its rules, and what sets it apart in one line. */
export interface Game {
  name: string;
  title: string;
  rules: Rules;
  summary: string;
}

/** A computer player that can be given a seat. */
export interface ComputerLevel {
  /** its text name. */
  player: string;
  /** its name for people. */
  label: string;
  /**
   * how it plays, in a few words; empty for one that is no level of people's play, which a form for
   * people leaves out as long as there are others.
   */
  description: string;
  /** whether it is the one for somebody new to the game. */
  usual: boolean;
}

/** Everything that a setup form is made of. */
export interface GamesPage {
  /** the named games, in the order to show them. */
  games: Game[];
  /** the groups of rules, in order. */
  groups: RuleGroup[];
  /** the rules, in order. */
  fields: RuleField[];
  /** the values of the joker flags for each level J0 to J4. */
  joker_levels: (Record<string, string | number | boolean | null>)[];
  /** the computer players, the weakest first. */
  computers: ComputerLevel[];
  /** the quick phrases of the chat. */
  phrases: string[];
}

/** Asks for the rules in words: a game, and the fields that differ from it. */
export interface DescribeRules {
  game?: string;
  rules?: Record<string, string | number | boolean | null>;
}

/** A part of the rules in words. */
export interface RulesSectionText {
  title: string;
  sentences: string[];
}

/** Rules, checked, with their text in one line of notation and in words. */
export interface RulesPage {
  rules: Rules;
  text: string;
  sections: RulesSectionText[];
}

/** A seat for the user who creates the table; `name` tells several apart. */
export interface Mine {
  type: "mine";
  name?: string | null;
}

/** A seat for whoever comes. */
export interface OpenSeatPlan {
  type: "open";
}

/** A seat for a computer player. */
export interface ComputerSeat {
  type: "computer";
  player: string;
}

/** Creates a table. */
export interface CreateTable {
  /** an idempotency key: the same key gives the same table. */
  id: string;
  /** who sits where, clockwise. */
  seats: NewSeat[];
  /**
   * what differs from the defaults: RRRummy, private, spectators allowed, drafts hidden, hints
   * allowed, all chat, natural pace.
   */
  settings?: TableChanges;
  /** whether to start at once; needs all seats taken. */
  start?: boolean;
}

/** A seat in a list of tables. */
export interface SummarySeat {
  kind: "computer" | "free" | "person";
  name: string;
  player: string | null;
}

/** A table in a list. */
export interface Summary {
  /** the table's id: its address is `/api/v1/tables/{id}`. */
  id: string;
  /** what it is called; may be empty. */
  title: string;
  /** the game. */
  game_title: string;
  /** the rules in one line of notation. */
  rules_text: string;
  /** seconds for a turn; null without a limit. */
  timer: number | null;
  /** waiting for people, playing, paused, over, or closed. */
  status: "closed" | "over" | "paused" | "playing" | "waiting";
  /** the seats, clockwise. */
  seats: SummarySeat[];
  /** whether it is kept off the public list. */
  private: boolean;
  /** whether people without a seat may watch. */
  spectators: boolean;
  /** the host's name. */
  host: string;
  /** when it was created. */
  since: number;
  /** when something last happened. */
  changed: number;
  /** the seats that the user holds. */
  mine: number[];
  /** whether it is the turn of one of them. */
  my_turn: boolean;
}

/** The public tables that wait or can be watched, and the user's own tables. */
export interface LobbyPage {
  open: Summary[];
  mine: Summary[];
  now: number;
}

/** A table by its id or its invite code; the code only for those who hold a seat. */
export interface TablePage {
  table: Summary;
  code: string | null;
  settings: Settings;
}

/** Whether a round's tiles are those that its revealed seeds give. */
export interface DealReport {
  /** the number of the round, from 1. */
  number: number;
  /** what the server committed to before the deal, in 64 hex digits. */
  commitment: string;
  /** the revealed seed in 64 hex digits; null while the round goes on. */
  server: string | null;
  /** what each seat added. */
  players: string[];
  /** whether the seed is the one that was committed to. */
  committed: boolean;
  /** who began. */
  first: number | null;
  /** the dealt hands, recomputed from the seeds. */
  hands: string[][];
  /** whether the deal that was played is the one recomputed. */
  good: boolean;
}

/** The check of a match's shuffles: the algorithm and its rounds so far. */
export interface ShufflePage {
  algorithm: string;
  rounds: DealReport[];
}

/** A record to be read, as text. */
export interface RecordText {
  text: string;
}

/** Something wrong in a record: where, what, and a sentence. */
export interface RecordFault {
  line: number | null;
  code: string;
  message: string;
}

/** One step of a finished match with everything laid open. */
export interface ReplayStep {
  /** the action as a line of the record; empty for the beginning of a round. */
  action: string;
  /** what happened. */
  events: Event[];
  /** the state after it, with all hands. */
  state: TableState;
  /** the stock after it, the next tile first. */
  stock: string[];
}

/** A finished match, step by step; `faults` says where an uploaded record breaks off. */
export interface ReplayPage {
  game_title: string;
  rules: Rules;
  rules_text: string;
  names: string[];
  steps: ReplayStep[];
  faults: RecordFault[];
}

/** What server this is. */
export interface ServerPage {
  /** always `meldwise`. */
  name: string;
  /** the program's version. */
  version: string;
  /** the version of the protocol. */
  protocol: number;
  /** the server's time. */
  now: number;
  /** the languages that its sentences come in. */
  languages: string[];
  /** the most seats of a table. */
  most_seats: number;
  /** how many unfinished tables a guest may have. */
  most_tables: number;
}

/** Whether the server works: `ok`, or what is amiss. */
export interface Health {
  status: string;
}

export type Event =
  | Seated
  | ComputerSeated
  | SeatOpened
  | HostChanged
  | SettingsChanged
  | MatchStarted
  | ShuffleCommitted
  | Ready
  | DrewForStart
  | RoundStarted
  | Dealt
  | RedealAsked
  | TurnBegan
  | Played
  | Drew
  | Passed
  | Penalised
  | Skipped
  | StockEmptied
  | RoundEnded
  | SeedRevealed
  | MatchEnded
  | Away
  | Back
  | SeatLeft
  | SeatTakenOver
  | SeatReturned
  | PauseWanted
  | Paused
  | Resumed
  | Said
  | Rematched
  | Closed;

export type Command =
  | Sit
  | AddComputer
  | OpenSeat
  | Configure
  | Start
  | BeReady
  | KeepDraft
  | Check
  | Play
  | Draw
  | Pass
  | AskRedeal
  | Hint
  | Say
  | Pause
  | Resume
  | Leave
  | Return
  | Rematch
  | Close;

export type ClientMessage =
  | Hello
  | Ping
  | Sit
  | AddComputer
  | OpenSeat
  | Configure
  | Start
  | BeReady
  | KeepDraft
  | Check
  | Play
  | Draw
  | Pass
  | AskRedeal
  | Hint
  | Say
  | Pause
  | Resume
  | Leave
  | Return
  | Rematch
  | Close;

export type ServerMessage =
  | Welcome
  | Update
  | Reply
  | Failed
  | Verdicted
  | Drafted
  | Hinted
  | Watchers
  | Pong
  | Bye;

export type NewSeat =
  | Mine
  | OpenSeatPlan
  | ComputerSeat;
