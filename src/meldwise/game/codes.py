"""The stable codes of everything that can be wrong, each with its meaning.

A code never changes its meaning once published. Sentences in a reader's language are made
from a code and its fields at the edge (see :mod:`meldwise.i18n`), never here.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = ["MEANINGS", "Code"]


class Code(StrEnum):
    """What is wrong, as a stable text such as ``meld.duplicate_colour``."""

    # Reading text.
    NOTATION_TILE = "notation.tile"
    NOTATION_MELD = "notation.meld"
    NOTATION_POSITION = "notation.position"
    NOTATION_AMBIGUOUS = "notation.ambiguous"
    NOTATION_NO_READING = "notation.no_reading"

    # Melds (rules, section 1).
    MELD_EMPTY = "meld.empty"
    MELD_TOO_SHORT = "meld.too_short"
    MELD_TOO_LONG = "meld.too_long"
    MELD_NO_REAL_TILE = "meld.no_real_tile"
    MELD_MIXED_COLOURS = "meld.mixed_colours"
    MELD_NOT_CONSECUTIVE = "meld.not_consecutive"
    MELD_BELOW_ONE = "meld.below_one"
    MELD_ABOVE_THIRTEEN = "meld.above_thirteen"
    MELD_MIXED_NUMBERS = "meld.mixed_numbers"
    MELD_DUPLICATE_COLOUR = "meld.duplicate_colour"
    MELD_TWO_JOKERS = "meld.two_jokers"

    # The end of a turn (rules, sections 2 and 3).
    TURN_NOTHING_PLAYED = "turn.nothing_played"
    TURN_TABLE_TILE_MISSING = "turn.table_tile_missing"
    TURN_TILE_NOT_HELD = "turn.tile_not_held"
    TURN_TABLE_BEFORE_OPENING = "turn.table_before_opening"
    TURN_OPENING_BELOW_MINIMUM = "turn.opening_below_minimum"
    TURN_MUST_PLAY = "turn.must_play"

    # Jokers on the table (rules, section 4).
    JOKER_NOT_REPLACED = "joker.not_replaced"
    JOKER_NOT_FROM_HAND = "joker.not_from_hand"
    JOKER_BOTH_COLOURS = "joker.both_colours"
    JOKER_MELD_CLOSED = "joker.meld_closed"
    JOKER_NOT_IN_NEW_MELD = "joker.not_in_new_meld"
    JOKER_NOT_IN_OWN_MELD = "joker.not_in_own_meld"

    # Actions that cannot be taken.
    ACTION_NOT_YOUR_TURN = "action.not_your_turn"
    ACTION_NO_SUCH_SEAT = "action.no_such_seat"
    ACTION_ROUND_OVER = "action.round_over"
    ACTION_ROUND_RUNNING = "action.round_running"
    ACTION_NO_ROUND = "action.no_round"
    ACTION_MATCH_OVER = "action.match_over"
    ACTION_STOCK_EMPTY = "action.stock_empty"
    ACTION_STOCK_NOT_EMPTY = "action.stock_not_empty"
    ACTION_ILLEGAL_PLAY = "action.illegal_play"
    ACTION_NO_TIMER = "action.no_timer"
    ACTION_NEEDS_ORACLE = "action.needs_oracle"
    ACTION_NOT_UNDERSTOOD = "action.not_understood"
    ACTION_NO_REDEAL = "action.no_redeal"
    ACTION_SEAT_LEFT = "action.seat_left"
    ACTION_SEAT_NOT_LEFT = "action.seat_not_left"
    ACTION_SEAT_TAKEN_OVER = "action.seat_taken_over"
    ACTION_NO_COMMITMENT = "action.no_commitment"
    ACTION_COMMITTED = "action.committed"
    ACTION_CLOCK_WANTED = "action.clock_wanted"
    ACTION_CLOCK_BACKWARDS = "action.clock_backwards"
    ACTION_TIME_LEFT = "action.time_left"
    ACTION_TIME_UP = "action.time_up"

    # Who sits where.
    SEAT_BAD_TEXT = "seat.bad_text"

    # Rules as a value.
    RULES_UNKNOWN_FIELD = "rules.unknown_field"
    RULES_BAD_VALUE = "rules.bad_value"
    RULES_OUT_OF_RANGE = "rules.out_of_range"
    RULES_PLAYERS_RANGE = "rules.players_range"
    RULES_BOX_TOO_SMALL = "rules.box_too_small"
    RULES_BOX_PLAYERS = "rules.box_players"
    RULES_PICKUP_NEEDS_NO_REPLACEMENT = "rules.pickup_needs_no_replacement"
    RULES_CLOSED_PICKUP = "rules.closed_pickup"
    RULES_UNKNOWN_GAME = "rules.unknown_game"
    RULES_NAME_TAKEN = "rules.name_taken"
    RULES_FILE = "rules.file"
    RULES_PLAYER_COUNT = "rules.player_count"

    # The verifiable shuffle.
    SHUFFLE_BAD_SEED = "shuffle.bad_seed"
    SHUFFLE_COMMITMENT = "shuffle.commitment"

    # Records.
    RECORD_SYNTAX = "record.syntax"
    RECORD_VERSION = "record.version"
    RECORD_MISSING_FIELD = "record.missing_field"
    RECORD_BAD_VALUE = "record.bad_value"
    RECORD_ACTION_SYNTAX = "record.action_syntax"
    RECORD_ILLEGAL_ACTION = "record.illegal_action"
    RECORD_TILES_DIFFER = "record.tiles_differ"
    RECORD_COMMITMENT = "record.commitment"
    RECORD_RESULT = "record.result"
    RECORD_UNFINISHED = "record.unfinished"

    # Computer players.
    PLAYER_UNKNOWN = "player.unknown"
    PLAYER_BAD_OPTION = "player.bad_option"
    PLAYER_BAD_VALUE = "player.bad_value"
    PLAYER_NO_CLOCK = "player.no_clock"
    PLAYER_FILE = "player.file"
    PLAYER_START = "player.start"
    PLAYER_ENDED = "player.ended"
    PLAYER_SILENT = "player.silent"
    PLAYER_NONSENSE = "player.nonsense"
    PLAYER_ILLEGAL = "player.illegal"
    PLAYER_GIVEN_UP = "player.given_up"

    # The arena.
    ARENA_ENTRANTS = "arena.entrants"
    ARENA_MATCH_BY_TIME = "arena.match_by_time"
    ARENA_BAD_TEST = "arena.bad_test"
    ARENA_WORKERS = "arena.workers"
    ARENA_STORE_BROKEN = "arena.store_broken"
    ARENA_STORE_VERSION = "arena.store_version"
    ARENA_STORE_SETTINGS = "arena.store_settings"
    ARENA_STORE_BUSY = "arena.store_busy"

    # Solver.
    SOLVER_INVALID_MELD = "solver.invalid_meld"
    SOLVER_TOO_MANY_TILES = "solver.too_many_tiles"
    SOLVER_NOT_A_POSITION = "solver.not_a_position"
    SOLVER_UNARRANGEABLE = "solver.unarrangeable"
    SOLVER_NOT_THESE_TILES = "solver.not_these_tiles"
    SOLVER_OBJECTIVE = "solver.objective"
    SOLVER_BUDGET = "solver.budget"
    SOLVER_KERNEL_MODE = "solver.kernel_mode"
    SOLVER_KERNEL_REQUIRED = "solver.kernel_required"

    # The server: who somebody is, and what it bears.
    ACCOUNT_NO_SESSION = "account.no_session"
    ACCOUNT_BAD_NAME = "account.bad_name"
    LIMIT_RATE = "limit.rate"
    LIMIT_SIZE = "limit.size"
    LIMIT_TABLES = "limit.tables"
    LIMIT_CONNECTIONS = "limit.connections"
    REQUEST_MALFORMED = "request.malformed"
    REQUEST_UNKNOWN = "request.unknown"
    REQUEST_METHOD = "request.method"
    REQUEST_ORIGIN = "request.origin"
    REQUEST_VERSION = "request.version"
    SERVER_STOPPING = "server.stopping"
    SERVER_ERROR = "server.error"
    SERVER_SCHEMA = "server.schema"
    SERVER_SETTING = "server.setting"
    SERVER_UNREACHABLE = "server.unreachable"

    # The server: tables.
    TABLE_UNKNOWN = "table.unknown"
    TABLE_CLOSED = "table.closed"
    TABLE_FULL = "table.full"
    TABLE_KICKED = "table.kicked"
    TABLE_STARTED = "table.started"
    TABLE_NOT_STARTED = "table.not_started"
    TABLE_NOT_OVER = "table.not_over"
    TABLE_NOT_HOST = "table.not_host"
    TABLE_SEAT_TAKEN = "table.seat_taken"
    TABLE_NOT_YOUR_SEAT = "table.not_your_seat"
    TABLE_NO_SEAT = "table.no_seat"
    TABLE_NO_SPECTATORS = "table.no_spectators"
    TABLE_NO_HINTS = "table.no_hints"
    TABLE_NO_PAUSE = "table.no_pause"
    TABLE_PAUSED = "table.paused"
    TABLE_NOT_PAUSED = "table.not_paused"
    TABLE_NO_CHAT = "table.no_chat"
    TABLE_NOTHING_SAID = "table.nothing_said"
    TABLE_RECORD_SECRET = "table.record_secret"
    TABLE_NOT_COMMITTED = "table.not_committed"
    COMMAND_STALE = "command.stale"


MEANINGS: dict[Code, str] = {
    Code.NOTATION_TILE: "the text is not a tile: a colour r, y, k or b and a number 1 to 13, or *",
    Code.NOTATION_MELD: "the text is not a meld such as r4-5-6, 7ryk, run(...) or set(...)",
    Code.NOTATION_POSITION: "the text is not a position: table / hand / opened or unopened",
    Code.NOTATION_AMBIGUOUS: "the tiles can be read as more than one meld; the readings are listed",
    Code.NOTATION_NO_READING: "the tiles form no valid meld in any order",
    Code.MELD_EMPTY: "a meld has no tiles",
    Code.MELD_TOO_SHORT: "a meld has fewer than three tiles",
    Code.MELD_TOO_LONG: "a set has more than four tiles",
    Code.MELD_NO_REAL_TILE: "a meld holds jokers only",
    Code.MELD_MIXED_COLOURS: "a run holds a tile of another colour",
    Code.MELD_NOT_CONSECUTIVE: "a run holds a tile whose number does not follow",
    Code.MELD_BELOW_ONE: "a run reaches below 1",
    Code.MELD_ABOVE_THIRTEEN: "a run reaches beyond 13",
    Code.MELD_MIXED_NUMBERS: "a set holds a tile of another number",
    Code.MELD_DUPLICATE_COLOUR: "a set holds a colour twice",
    Code.MELD_TWO_JOKERS: "a meld holds two jokers where the rules allow one",
    Code.TURN_NOTHING_PLAYED: "no tile of the hand was placed",
    Code.TURN_TABLE_TILE_MISSING: "a tile that was on the table is not on the proposed table",
    Code.TURN_TILE_NOT_HELD: "the proposed table holds a tile that was neither there nor in hand",
    Code.TURN_TABLE_BEFORE_OPENING: "a meld of the table was used, moved or added to too early",
    Code.TURN_OPENING_BELOW_MINIMUM: "the new melds of the opening are worth too little",
    Code.TURN_MUST_PLAY: "the rules ask a player who can play to do so",
    Code.JOKER_NOT_REPLACED: "a joker was taken and no tile matches what it stood for",
    Code.JOKER_NOT_FROM_HAND: "a joker was not replaced by a tile of its own from the hand",
    Code.JOKER_BOTH_COLOURS: "a joker was taken from a set without all the missing colours",
    Code.JOKER_MELD_CLOSED: "a meld that keeps its joker was split, shifted or robbed of a tile",
    Code.JOKER_NOT_IN_NEW_MELD: "a freed joker was put into a meld that was already on the table",
    Code.JOKER_NOT_IN_OWN_MELD: "a freed joker lies with tiles that are not from the hand",
    Code.ACTION_NOT_YOUR_TURN: "it is another seat's turn",
    Code.ACTION_NO_SUCH_SEAT: "there is no such seat",
    Code.ACTION_ROUND_OVER: "the round is over",
    Code.ACTION_ROUND_RUNNING: "a round is still being played",
    Code.ACTION_NO_ROUND: "no round has begun",
    Code.ACTION_MATCH_OVER: "the match is over",
    Code.ACTION_STOCK_EMPTY: "there is nothing left to draw; the turn can be passed",
    Code.ACTION_STOCK_NOT_EMPTY: "passing is for an empty stock; there are tiles to draw",
    Code.ACTION_ILLEGAL_PLAY: "the proposed table is no legal end of the turn",
    Code.ACTION_NO_TIMER: "the game is played without a timer",
    Code.ACTION_NEEDS_ORACLE: "the must-play rule needs a solver to tell whether one can play",
    Code.ACTION_NOT_UNDERSTOOD: "the data describes no action of a turn",
    Code.ACTION_NO_REDEAL: "the rules or the hand give no right to a new deal now",
    Code.ACTION_SEAT_LEFT: "the seat has left already",
    Code.ACTION_SEAT_NOT_LEFT: "the seat has not left",
    Code.ACTION_SEAT_TAKEN_OVER: "the seat is already played by somebody standing in",
    Code.ACTION_NO_COMMITMENT: "the shuffle was not committed to before the deal",
    Code.ACTION_COMMITTED: "the shuffle of the next round is committed to already",
    Code.ACTION_CLOCK_WANTED: "a match that ends by time needs a reading of the clock",
    Code.ACTION_CLOCK_BACKWARDS: "the clock reading is earlier than the one before",
    Code.ACTION_TIME_LEFT: "the time of the match is not up",
    Code.ACTION_TIME_UP: "the time of the match is up; no further round begins",
    Code.SEAT_BAD_TEXT: "the name of a player or of a computer player cannot be written down",
    Code.RULES_UNKNOWN_FIELD: "there is no such rule",
    Code.RULES_BAD_VALUE: "the rule does not take that value",
    Code.RULES_OUT_OF_RANGE: "the rule's number is out of range",
    Code.RULES_PLAYERS_RANGE: "the least number of players is above the greatest",
    Code.RULES_BOX_TOO_SMALL: "the box has too few tiles for the hands of that many players",
    Code.RULES_BOX_PLAYERS: "five or six players need the box with three of each tile",
    Code.RULES_PICKUP_NEEDS_NO_REPLACEMENT: "jokers that may always be taken are never replaced",
    Code.RULES_CLOSED_PICKUP: "jokers that may always be taken cannot close their melds",
    Code.RULES_UNKNOWN_GAME: "no game has that name",
    Code.RULES_NAME_TAKEN: "another game has that name",
    Code.RULES_FILE: "the file of rules cannot be read",
    Code.RULES_PLAYER_COUNT: "the rules do not allow that number of players",
    Code.SHUFFLE_BAD_SEED: "the seed has the wrong form",
    Code.SHUFFLE_COMMITMENT: "the revealed seed does not match the commitment",
    Code.RECORD_SYNTAX: "the file is not TOML",
    Code.RECORD_VERSION: "the record has a format version that this program does not know",
    Code.RECORD_MISSING_FIELD: "a field is missing",
    Code.RECORD_BAD_VALUE: "a field has a value of the wrong form",
    Code.RECORD_ACTION_SYNTAX: "the line is not an action",
    Code.RECORD_ILLEGAL_ACTION: "the action cannot be taken at this point",
    Code.RECORD_TILES_DIFFER: "the record names other tiles than the shuffle gives",
    Code.RECORD_COMMITMENT: "the revealed seed does not match the commitment of the round",
    Code.RECORD_RESULT: "the record states another result than its actions give",
    Code.RECORD_UNFINISHED: "a later round begins before the round is over",
    Code.PLAYER_UNKNOWN: "there is no computer player of that name",
    Code.PLAYER_BAD_OPTION: "the computer player has no such option",
    Code.PLAYER_BAD_VALUE: "the computer player's option does not take that value",
    Code.PLAYER_NO_CLOCK: "the computer player keeps to a time, and no time is kept here",
    Code.PLAYER_FILE: "the file that describes a player's program is missing or wrong",
    Code.PLAYER_START: "the player's program cannot be started",
    Code.PLAYER_ENDED: "the player's program has ended by itself",
    Code.PLAYER_SILENT: "the player's program did not answer in time",
    Code.PLAYER_NONSENSE: "the player's program answered what the protocol does not know",
    Code.PLAYER_ILLEGAL: "the player's program chose what the rules do not allow",
    Code.PLAYER_GIVEN_UP: "the player's program failed too often and is not started any more",
    # The arena.
    Code.ARENA_ENTRANTS: "there are too few entrants for the seating",
    Code.ARENA_MATCH_BY_TIME: "a match that ends by time cannot be played without people",
    Code.ARENA_BAD_TEST: "the hypotheses or the error rates of a sequential test are not in order",
    Code.ARENA_WORKERS: "processes keep dying, whatever they are given to do",
    Code.ARENA_STORE_BROKEN: "the file is no store of results, or a line in it is broken",
    Code.ARENA_STORE_VERSION: "the store was written by another version of the format",
    Code.ARENA_STORE_SETTINGS: "the store holds results of other settings",
    Code.ARENA_STORE_BUSY: "another process is writing to the store",
    # Solver.
    Code.SOLVER_INVALID_MELD: "a meld of the table is invalid and its joker has no role",
    Code.SOLVER_TOO_MANY_TILES: "the position holds more of a tile than its box",
    Code.SOLVER_NOT_A_POSITION: "what was given is not a position",
    Code.SOLVER_UNARRANGEABLE: "the tiles of the table form no valid melds, whatever is played",
    Code.SOLVER_NOT_THESE_TILES: "no legal play places exactly these tiles",
    Code.SOLVER_OBJECTIVE: "the objective has no such weight",
    Code.SOLVER_BUDGET: "the budget is not a positive number",
    Code.SOLVER_KERNEL_MODE: "MELDWISE_KERNEL is none of auto, require and pure",
    Code.SOLVER_KERNEL_REQUIRED: "the compiled kernel is required and cannot be used",
    # The server.
    Code.ACCOUNT_NO_SESSION: "nobody is signed in, or the sign-in is not valid",
    Code.ACCOUNT_BAD_NAME: "the name is empty or cannot be shown",
    Code.LIMIT_RATE: "too many requests; some time has to pass",
    Code.LIMIT_SIZE: "the request or message is too long",
    Code.LIMIT_TABLES: "the user has as many unfinished tables as allowed",
    Code.LIMIT_CONNECTIONS: "the user has as many connections as allowed",
    Code.REQUEST_MALFORMED: "the request or message cannot be read",
    Code.REQUEST_UNKNOWN: "there is nothing at this address",
    Code.REQUEST_METHOD: "the address does not take this method",
    Code.REQUEST_ORIGIN: "the request comes from a page of another site",
    Code.REQUEST_VERSION: "the server does not speak this version of the protocol",
    Code.SERVER_STOPPING: "the server stops; it may be back in a moment",
    Code.SERVER_ERROR: "the server met an error of its own",
    Code.SERVER_SCHEMA: "the tables of the database are of another version",
    Code.SERVER_SETTING: "a setting of the server has a value that it does not take",
    Code.SERVER_UNREACHABLE: "the server or its database cannot be reached",
    Code.TABLE_UNKNOWN: "there is no such table",
    Code.TABLE_CLOSED: "the table is closed",
    Code.TABLE_FULL: "the table has no free seat",
    Code.TABLE_KICKED: "the host has sent the user away from this table",
    Code.TABLE_STARTED: "the match has begun already",
    Code.TABLE_NOT_STARTED: "the match has not begun",
    Code.TABLE_NOT_OVER: "the match is not over",
    Code.TABLE_NOT_HOST: "only the host may do that",
    Code.TABLE_SEAT_TAKEN: "somebody sits there already",
    Code.TABLE_NOT_YOUR_SEAT: "the user does not hold that seat",
    Code.TABLE_NO_SEAT: "the user holds no seat at the table",
    Code.TABLE_NO_SPECTATORS: "the table admits no spectators",
    Code.TABLE_NO_HINTS: "the table gives no hints",
    Code.TABLE_NO_PAUSE: "the table is public, and is not paused",
    Code.TABLE_PAUSED: "the table is paused",
    Code.TABLE_NOT_PAUSED: "the table is not paused",
    Code.TABLE_NO_CHAT: "the table has no chat, or quick phrases only",
    Code.TABLE_NOTHING_SAID: "a line of chat is a text or a phrase, and not both",
    Code.TABLE_RECORD_SECRET: "the record of a running match is kept until its end",
    Code.TABLE_NOT_COMMITTED: "no round is waited for now",
    Code.COMMAND_STALE: "the match has gone on since the state that the command was made from",
}
