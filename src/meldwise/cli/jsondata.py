"""Values of the game as plain data for JSON."""

from __future__ import annotations

from meldwise.game.plaindata import plain_data
from meldwise.game.record import Fault
from meldwise.i18n import explain_fault

__all__ = ["fault_data", "plain_data"]


def fault_data(fault: Fault) -> dict[str, object]:
    """A fault of a record as plain data."""
    return {"code": str(fault.code), "line": fault.line, "message": explain_fault(fault)}
