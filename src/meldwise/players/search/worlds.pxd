"""What the drawing of worlds uses of other compiled modules."""

from meldwise.players.search._compiled_turns cimport Turns
