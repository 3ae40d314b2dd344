"""Meldwise: tile rummy, played, solved and reviewed.

The rules are in `meldwise.game`; everything else is built on them.
"""

__version__ = "0.1.0"
