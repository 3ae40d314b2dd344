"""The rules of tile rummy: values, judging, rounds, matches and their records.

Nothing here reads a file, a clock or a source of randomness: what is needed is an argument.
"""

from meldwise.game.actions import (
    Action,
    AskRedeal,
    CommitShuffle,
    Draw,
    EndMatch,
    Leave,
    MatchAction,
    Pass,
    Play,
    PlayOracle,
    Return,
    RoundAction,
    StandIn,
    StartRound,
    TimeOut,
)
from meldwise.game.codes import MEANINGS, Code
from meldwise.game.errors import (
    ActionError,
    GameError,
    NotationError,
    RecordError,
    RulesError,
    SeatError,
    ShuffleError,
)
from meldwise.game.events import Event, MatchResult, seen_by
from meldwise.game.jokers import JokerUse
from meldwise.game.match import Match, Seat, start_match
from meldwise.game.melds import Kind, Meld, Role, read_meld, readings
from meldwise.game.position import Position, Table, format_table, parse_table
from meldwise.game.presets import (
    GAMES,
    Preset,
    Registry,
    format_presets,
    format_rules,
    parse_presets,
    parse_rules,
)
from meldwise.game.problems import Problem
from meldwise.game.record import Fault, Record, RecordedAction, RoundRecord, parse_action
from meldwise.game.record_text import Reading, format_record, read_record
from meldwise.game.replay import DealCheck, Replay, Step, check_deals, replay
from meldwise.game.round import Round, start_round
from meldwise.game.rules import Rules
from meldwise.game.scores import RoundEnd, RoundResult, hand_value
from meldwise.game.session import Session
from meldwise.game.shuffle import Seeds, check_commitment, commitment_of
from meldwise.game.tiles import JOKER, TILES, Colour, Tile, format_tiles, parse_tiles
from meldwise.game.turn import Verdict, judge
from meldwise.game.view import View, view_of

__all__ = [
    "GAMES",
    "JOKER",
    "MEANINGS",
    "TILES",
    "Action",
    "ActionError",
    "AskRedeal",
    "Code",
    "Colour",
    "CommitShuffle",
    "DealCheck",
    "Draw",
    "EndMatch",
    "Event",
    "Fault",
    "GameError",
    "JokerUse",
    "Kind",
    "Leave",
    "Match",
    "MatchAction",
    "MatchResult",
    "Meld",
    "NotationError",
    "Pass",
    "Play",
    "PlayOracle",
    "Position",
    "Preset",
    "Problem",
    "Reading",
    "Record",
    "RecordError",
    "RecordedAction",
    "Registry",
    "Replay",
    "Return",
    "Role",
    "Round",
    "RoundAction",
    "RoundEnd",
    "RoundRecord",
    "RoundResult",
    "Rules",
    "RulesError",
    "Seat",
    "SeatError",
    "Seeds",
    "Session",
    "ShuffleError",
    "StandIn",
    "StartRound",
    "Step",
    "Table",
    "Tile",
    "TimeOut",
    "Verdict",
    "View",
    "check_commitment",
    "check_deals",
    "commitment_of",
    "format_presets",
    "format_record",
    "format_rules",
    "format_table",
    "format_tiles",
    "hand_value",
    "judge",
    "parse_action",
    "parse_presets",
    "parse_rules",
    "parse_table",
    "parse_tiles",
    "read_meld",
    "read_record",
    "readings",
    "replay",
    "seen_by",
    "start_match",
    "start_round",
    "view_of",
]
