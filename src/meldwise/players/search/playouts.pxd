"""What the compiled playouts use of other compiled modules."""

from meldwise.players.search._compiled_estimates cimport Estimates
from meldwise.players.search._compiled_turns cimport Turns
