"""Which kernel runs: the compiled one, or its source interpreted.

The environment's ``MELDWISE_KERNEL`` chooses: ``auto`` (compiled where it can be used),
``require`` (an error without a compiled one that fits its source) or ``pure``.
"""

from __future__ import annotations

import hashlib
import importlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from meldwise.game.codes import Code
from meldwise.solver.errors import KernelError

__all__ = ["KernelInfo", "kernel_info", "kernel_module"]

VARIABLE = "MELDWISE_KERNEL"


@dataclass(frozen=True, slots=True)
class KernelInfo:
    """Which kernel runs, and why.

    Attributes:
        compiled: whether it is compiled.
        reason: ``compiled``, ``asked`` (for the interpreted one), ``absent`` (nothing was
            compiled) or ``stale`` (what was compiled does not fit the source).
    """

    compiled: bool
    reason: str


@lru_cache(maxsize=1)
def _load() -> tuple[ModuleType, KernelInfo]:
    mode = os.environ.get(VARIABLE, "auto").strip().lower() or "auto"
    if mode not in ("auto", "require", "pure"):
        raise KernelError(Code.SOLVER_KERNEL_MODE, value=mode, allowed="auto, require, pure")
    reason = "asked"
    if mode != "pure":
        try:
            compiled = importlib.import_module("meldwise.solver._compiled")
        except ImportError:
            reason = "absent"
        else:
            if source_hash() == compiled.SOURCE_HASH:
                return compiled, KernelInfo(compiled=True, reason="compiled")
            reason = "stale"
        if mode == "require":
            raise KernelError(Code.SOLVER_KERNEL_REQUIRED, reason=reason)
    return importlib.import_module("meldwise.solver.kernel"), KernelInfo(False, reason)


def source_hash() -> str:
    """The hash of the kernel's source as it lies on the disk."""
    source = Path(__file__).with_name("kernel.py").read_bytes().replace(b"\r\n", b"\n")
    return hashlib.sha256(source).hexdigest()


def kernel_module() -> ModuleType:
    """The module whose ``Kernel`` is to be used.

    Raises:
        KernelError: if a compiled kernel is required and there is none that fits.
    """
    return _load()[0]


def kernel_info() -> KernelInfo:
    """Which kernel runs, and why.

    Raises:
        KernelError: if a compiled kernel is required and there is none that fits.
    """
    return _load()[1]
