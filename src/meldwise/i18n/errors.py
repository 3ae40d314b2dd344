"""Errors and the faults of records as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from meldwise.game.codes import Code
from meldwise.game.errors import ActionError, GameError, NotationError
from meldwise.game.record import Fault
from meldwise.game.tiles import Tile
from meldwise.i18n.fields import field_name, value_name
from meldwise.i18n.names import clean_text, list_of, tile_name
from meldwise.i18n.problems import PROBLEM_CODES, explain_problem
from meldwise.i18n.translate import N_, capitalised
from meldwise.i18n.translate import translate as _

__all__ = ["explain_error", "explain_fault"]

_SENTENCES: Final[dict[Code, str]] = {
    Code.NOTATION_TILE: N_(
        "“{text}” is not a tile: write r, y, k (black) or b and a number from 1 to 13, "
        "or * for a joker"
    ),
    Code.NOTATION_MELD: N_("“{text}” is not a meld: write a run as r4-5-6, a set as 7ryk"),
    Code.NOTATION_POSITION: N_(
        "“{text}” is not a position: write table / hand, then / opened or / unopened"
    ),
    Code.NOTATION_AMBIGUOUS: N_("“{text}” can be read as {readings}: choose one"),
    Code.NOTATION_NO_READING: N_("“{text}” is no meld in any order"),
    Code.TURN_MUST_PLAY: N_("a play is possible, and these rules ask whoever can play to do so"),
    Code.ACTION_NOT_YOUR_TURN: N_("it is not the turn of seat {seat_number}"),
    Code.ACTION_NO_SUCH_SEAT: N_("there is no seat {seat_number}; the table has {seats}"),
    Code.ACTION_ROUND_OVER: N_("the round is over"),
    Code.ACTION_ROUND_RUNNING: N_("round {number} is still being played"),
    Code.ACTION_NO_ROUND: N_("no round has begun"),
    Code.ACTION_MATCH_OVER: N_("the match is over"),
    Code.ACTION_STOCK_EMPTY: N_("there is nothing left to draw: pass instead"),
    Code.ACTION_STOCK_NOT_EMPTY: N_("there are tiles to draw still: passing is for an empty stock"),
    Code.ACTION_ILLEGAL_PLAY: N_("the turn cannot end like this"),
    Code.ACTION_NO_TIMER: N_("this game is played without a timer, so no time can run out"),
    Code.ACTION_NEEDS_ORACLE: N_(
        "these rules ask whoever can play to do so, and telling that needs the solver, "
        "which is not installed"
    ),
    Code.ACTION_NOT_UNDERSTOOD: N_("“{value}” is no action of a turn"),
    Code.ACTION_NO_REDEAL: N_(
        "there is no right to a new deal: that takes {need} dealt pairs, and nobody "
        "may have played a turn"
    ),
    Code.ACTION_SEAT_LEFT: N_("the player of seat {seat_number} has left already"),
    Code.ACTION_SEAT_NOT_LEFT: N_("the player of seat {seat_number} has not left"),
    Code.ACTION_SEAT_TAKEN_OVER: N_("somebody sits in at seat {seat_number} already"),
    Code.ACTION_NO_COMMITMENT: N_("round {number} has no commitment to its shuffle yet"),
    Code.ACTION_COMMITTED: N_("the shuffle of round {number} is committed to already"),
    Code.ACTION_CLOCK_WANTED: N_("this match ends by time, so its clock must be read"),
    Code.ACTION_CLOCK_BACKWARDS: N_("the clock reads {clock}, earlier than the {before} before"),
    Code.ACTION_TIME_LEFT: N_("the time of the match is not up: {clock} of {length} seconds"),
    Code.ACTION_TIME_UP: N_("the time of the match is up, so no further round begins"),
    Code.SEAT_BAD_TEXT: N_("{value} cannot be a name in a record"),
    Code.RULES_UNKNOWN_FIELD: N_("there is no rule named “{field}”"),
    Code.RULES_BAD_VALUE: N_("{field_name} cannot be “{value}”: it takes {allowed}"),
    Code.RULES_OUT_OF_RANGE: N_("{field_name} cannot be {value}: it goes from {low} to {high}"),
    Code.RULES_PLAYERS_RANGE: N_("the fewest players ({value}) are more than the most players"),
    Code.RULES_BOX_TOO_SMALL: N_(
        "the box has {have} tiles, and the hands of that many players need {need}: "
        "make the hands smaller, or allow fewer players"
    ),
    Code.RULES_BOX_PLAYERS: N_(
        "five or six players need the large box, with three tiles of each face and four jokers"
    ),
    Code.RULES_PICKUP_NEEDS_NO_REPLACEMENT: N_(
        "{field_name} makes no sense where jokers may always be taken: "
        "let them be taken only after replacement, or leave this rule out"
    ),
    Code.RULES_CLOSED_PICKUP: N_(
        "melds cannot be closed where their jokers may always be taken: "
        "let them be taken only after replacement, or leave the melds open"
    ),
    Code.RULES_UNKNOWN_GAME: N_("there is no game named “{value}”"),
    Code.RULES_NAME_TAKEN: N_("the name “{value}” belongs to another game"),
    Code.RULES_FILE: N_("the file of rules is not valid TOML: {reason}"),
    Code.RULES_PLAYER_COUNT: N_("{value} cannot play this game: it takes {low} to {high} players"),
    Code.SHUFFLE_BAD_SEED: N_("the seed has the wrong form: {have} {unit} instead of {need}"),
    Code.SHUFFLE_COMMITMENT: N_(
        "the revealed seed is not the one that was committed to: "
        "it gives {actual}, and the commitment is {commitment}"
    ),
    Code.RECORD_SYNTAX: N_("the file is not valid TOML: {reason}"),
    Code.RECORD_VERSION: N_("the format “{value}” is unknown; this program reads “{known}”"),
    Code.RECORD_MISSING_FIELD: N_("the field {field} is missing"),
    Code.RECORD_BAD_VALUE: N_("the field {field} has a value of the wrong form: {value}"),
    Code.RECORD_ACTION_SYNTAX: N_(
        "“{text}” is not an action: write a seat and a word, such as “2 draw” or "
        "“1 play 8rbky from 8bky”"
    ),
    Code.RECORD_ILLEGAL_ACTION: N_("“{text}” cannot be done at this point"),
    Code.RECORD_TILES_DIFFER: N_(
        "seat {seat_number} got other tiles: “{stated}” is written, “{actual}” is right"
    ),
    Code.RECORD_COMMITMENT: N_("the revealed seed is not the one that the round committed to"),
    Code.RECORD_RESULT: N_("the result is written as {stated}; the actions give {actual}"),
    Code.RECORD_UNFINISHED: N_("a later round begins although round {number} is not over"),
    Code.PLAYER_UNKNOWN: N_("there is no computer player “{player}”; there are: {known}"),
    Code.PLAYER_BAD_OPTION: N_("the computer player “{player}” has no option “{option}”"),
    Code.PLAYER_BAD_VALUE: N_(
        "the option “{option}” of the computer player “{player}” cannot be “{value}”: "
        "it takes {allowed}"
    ),
    Code.PLAYER_NO_CLOCK: N_(
        "the computer player “{player}” keeps to a time, and no time is kept here: "
        "set its option “playouts” instead"
    ),
    Code.PLAYER_FILE: N_("the file {file} describes no player’s program: {reason}"),
    Code.PLAYER_START: N_("the player’s program {program} cannot be started: {reason}"),
    Code.PLAYER_ENDED: N_("the player’s program {program} has ended by itself ({reason})"),
    Code.PLAYER_SILENT: N_("the player’s program {program} did not answer in time"),
    Code.PLAYER_NONSENSE: N_("the player’s program {program} answered nonsense: {reason}"),
    Code.PLAYER_ILLEGAL: N_("the player’s program {program} chose what the rules do not allow"),
    Code.PLAYER_GIVEN_UP: N_(
        "the player’s program {program} failed each of the {have} times that it was started; "
        "it is not asked any more and loses every turn"
    ),
    Code.ARENA_ENTRANTS: N_(
        "the seating needs {need} computer players at least, and {have} were named"
    ),
    Code.ARENA_MATCH_BY_TIME: N_(
        "matches that end by time cannot be played here: choose another end of the match"
    ),
    Code.ARENA_BAD_TEST: N_(
        "a sequential test needs a lower and a higher Elo difference, in this order, "
        "and rates of error between 0 and a half"
    ),
    Code.ARENA_WORKERS: N_("the processes that do the work keep dying: {reason}"),
    Code.ARENA_STORE_BROKEN: N_("the file {file} is no store of results, or it is broken"),
    Code.ARENA_STORE_VERSION: N_(
        "the store {file} has version {have} of the format, and this is version {need}"
    ),
    Code.ARENA_STORE_SETTINGS: N_(
        "the store {file} holds results of other settings: they differ in {differ}"
    ),
    Code.ARENA_STORE_BUSY: N_("the store {file} is in use by another process"),
    Code.SOLVER_INVALID_MELD: N_(
        "a meld of the table is invalid, so nobody can tell what its joker stands for"
    ),
    Code.SOLVER_TOO_MANY_TILES: N_(
        "the position holds {tile} more often than its box: {have} times instead of {most} at most"
    ),
    Code.SOLVER_NOT_A_POSITION: N_("this is not a position"),
    Code.SOLVER_UNARRANGEABLE: N_(
        "the tiles of the table form no valid melds, whatever is played from the hand"
    ),
    Code.SOLVER_NOT_THESE_TILES: N_("no legal play places exactly these tiles"),
    Code.SOLVER_OBJECTIVE: N_("an objective cannot have {value} here"),
    Code.SOLVER_BUDGET: N_("a budget cannot be {value}"),
    Code.SOLVER_KERNEL_MODE: N_("MELDWISE_KERNEL cannot be “{value}”: it takes {allowed}"),
    Code.SOLVER_KERNEL_REQUIRED: N_(
        "MELDWISE_KERNEL asks for the compiled kernel, and there is none that fits ({reason})"
    ),
    Code.ACCOUNT_NO_SESSION: N_("nobody is signed in here: enter a name first"),
    Code.ACCOUNT_BAD_NAME: N_("a name has 1 to 40 letters that can be shown"),
    Code.LIMIT_RATE: N_("this was too much at once: wait {seconds} seconds"),
    Code.LIMIT_SIZE: N_("this is too long: the limit is {most}"),
    Code.LIMIT_TABLES: N_("{most} unfinished tables are as many as one may have"),
    Code.LIMIT_CONNECTIONS: N_("{most} connections are as many as one may have"),
    Code.REQUEST_MALFORMED: N_("the request cannot be read: {reason}"),
    Code.REQUEST_UNKNOWN: N_("there is nothing at this address"),
    Code.REQUEST_METHOD: N_("this address does not take the method {method}"),
    Code.REQUEST_ORIGIN: N_("the request comes from a page of another site"),
    Code.REQUEST_VERSION: N_(
        "this server speaks version {need} of the protocol, and not {have}: load the page anew"
    ),
    Code.SERVER_STOPPING: N_("the server stops; it may be back in a moment"),
    Code.SERVER_ERROR: N_("the server met an error of its own; nothing was done"),
    Code.SERVER_SCHEMA: N_(
        "the database is of version {have}, and this program needs {need}: run meldwise db upgrade"
    ),
    Code.SERVER_SETTING: N_("the setting {field} cannot be “{value}”: it takes {allowed}"),
    Code.SERVER_UNREACHABLE: N_("{what} cannot be reached: {reason}"),
    Code.TABLE_UNKNOWN: N_("there is no such table"),
    Code.TABLE_CLOSED: N_("the table is closed"),
    Code.TABLE_FULL: N_("the table has no free seat"),
    Code.TABLE_KICKED: N_("the host has asked you to leave this table"),
    Code.TABLE_STARTED: N_("the match has begun already"),
    Code.TABLE_NOT_STARTED: N_("the match has not begun yet"),
    Code.TABLE_NOT_OVER: N_("the match is not over yet"),
    Code.TABLE_NOT_HOST: N_("only the host of the table may do that"),
    Code.TABLE_SEAT_TAKEN: N_("somebody sits at seat {seat_number} already"),
    Code.TABLE_NOT_YOUR_SEAT: N_("seat {seat_number} is not yours"),
    Code.TABLE_NO_SEAT: N_("you have no seat at this table"),
    Code.TABLE_NO_SPECTATORS: N_("this table admits no spectators"),
    Code.TABLE_NO_HINTS: N_("there are no hints at this table"),
    Code.TABLE_NO_PAUSE: N_("a public table is not paused"),
    Code.TABLE_PAUSED: N_("the table is paused"),
    Code.TABLE_NOT_PAUSED: N_("the table is not paused"),
    Code.TABLE_NO_CHAT: N_("this table has quick phrases only, or no chat"),
    Code.TABLE_NOTHING_SAID: N_("write something, or choose a phrase"),
    Code.TABLE_RECORD_SECRET: N_("the record can be had when the match is over"),
    Code.TABLE_NOT_COMMITTED: N_("no round is waited for now"),
    Code.COMMAND_STALE: N_("the match has gone on in the meantime: look again"),
}


def explain_error(error: GameError) -> str:
    """What is wrong, where, and what would mend it, in a sentence or a few."""
    if isinstance(error, ActionError) and error.verdict is not None and error.verdict.problems:
        return " ".join(explain_problem(problem) for problem in error.verdict.problems)
    fields = error.fields
    cause = error.__cause__
    text = _sentence(error.code, fields)
    if isinstance(cause, NotationError) and isinstance(error, NotationError):
        if cause.fields.get("text") != fields.get("text"):
            text = _("{text} {more}").format(text=text, more=explain_error(cause))
    elif (game := fields.get("game")) and error.code is not Code.RULES_NAME_TAKEN:
        text = _("In the game {game}: {text}").format(game=game, text=text)
    return _placed(text, fields)


def explain_fault(fault: Fault) -> str:
    """A fault of a record in a sentence, its line in front where it is known."""
    if fault.cause is not None:
        cause = _cause(fault)
        if fault.code is fault.cause.code and fault.code not in _WITH_TEXT:
            text = cause
        else:
            text = (
                _("{fault} {cause}")
                .format(fault=_sentence(fault.code, fault.fields), cause=cause)
                .strip()
            )
    else:
        text = _sentence(fault.code, fault.fields)
    if fault.line is not None:
        return _("Line {line}: {text}").format(line=fault.line, text=text)
    return text


_WITH_TEXT: Final = frozenset({Code.RECORD_ILLEGAL_ACTION})


def _cause(fault: Fault) -> str:
    assert fault.cause is not None
    if fault.cause.code is Code.RECORD_ILLEGAL_ACTION:
        return _("The meld {meld} is not on the table.").format(
            meld=_plain(fault.cause.fields.get("meld", ""))
        )
    return explain_error(fault.cause)


def _sentence(code: Code, fields: Mapping[str, object]) -> str:
    if code in _SENTENCES:
        pattern = _(_SENTENCES[code])
    elif code in PROBLEM_CODES:
        from meldwise.game.problems import Problem

        return explain_problem(Problem(code=code))
    else:
        raise KeyError(code)
    if code is Code.SHUFFLE_BAD_SEED and "need" not in fields:
        pattern = _("the seed has the wrong form: it must be proper text")
    if code is Code.RECORD_BAD_VALUE and "value" not in fields:
        pattern = _("the field {field} has a value of the wrong form")
    if code is Code.RECORD_RESULT and fields.get("actual") is None:
        pattern = _("the result is written as {stated}, and the round is not over")
    if code is Code.RULES_NAME_TAKEN and fields.get("game"):
        pattern = _("the name “{value}” belongs to the game {game} already")
    if code is Code.RULES_UNKNOWN_GAME and fields.get("known"):
        pattern = _("there is no game named “{value}”; there are: {known}")
    name = str(fields.get("field", ""))
    words = {key: _plain(value) for key, value in fields.items()}
    seat = fields.get("seat")
    words["seat_number"] = str(seat + 1) if isinstance(seat, int) else _("(nobody)")
    words["field_name"] = field_name(name) or name or _("the value")
    if name and "value" in fields and code is not Code.RECORD_BAD_VALUE:
        words["value"] = _value(name, fields["value"])
    if isinstance(fields.get("allowed"), str):
        words["allowed"] = list_of(str(fields["allowed"]).split(", "), either=True)
    return capitalised(pattern.format_map(_Words(words))).rstrip(".") + "."


class _Words(dict[str, str]):
    """Fields by name; one that is not known reads as a question mark."""

    def __missing__(self, key: str) -> str:
        return "?"


def _value(name: str, value: object) -> str:
    if isinstance(value, bool | int | str) or value is None:
        return value_name(name, value)
    return _plain(value)


def _plain(value: object) -> str:
    """A field's value as people write it."""
    if value is None:
        return _("nothing")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Tile):
        return tile_name(value)
    if isinstance(value, tuple | list):
        return ", ".join(_plain(item) for item in value)
    return clean_text(str(value))


def _placed(text: str, fields: Mapping[str, object]) -> str:
    """The sentence with the line and column at its end, where they are known."""
    line, column = fields.get("line"), fields.get("column")
    if isinstance(line, int) and isinstance(column, int):
        return _("{text} (Line {line}, column {column}.)").format(
            text=text, line=line, column=column
        )
    if isinstance(line, int):
        return _("{text} (Line {line}.)").format(text=text, line=line)
    if isinstance(column, int):
        return _("{text} (At character {column}.)").format(text=text, column=column)
    return text
