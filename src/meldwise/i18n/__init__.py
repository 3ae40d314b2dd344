"""Sentences for people, made from codes and values of the game.

The texts here are English and go through :mod:`meldwise.i18n.translate`, so that a gettext
catalogue turns them into another language without any change to a caller.
"""

from meldwise.i18n.errors import explain_error, explain_fault
from meldwise.i18n.events import tell_event
from meldwise.i18n.fields import describe_field, field_meaning, field_name, value_name
from meldwise.i18n.levels import describe_level, level_name
from meldwise.i18n.names import clean_text, list_of, meld_name, role_name, tile_name, tiles_name
from meldwise.i18n.problems import explain_problem
from meldwise.i18n.rules import RulesSection, describe_rules, game_difference
from meldwise.i18n.translate import use_translations

__all__ = [
    "RulesSection",
    "clean_text",
    "describe_field",
    "describe_level",
    "describe_rules",
    "explain_error",
    "explain_fault",
    "explain_problem",
    "field_meaning",
    "field_name",
    "game_difference",
    "level_name",
    "list_of",
    "meld_name",
    "role_name",
    "tell_event",
    "tile_name",
    "tiles_name",
    "use_translations",
    "value_name",
]
