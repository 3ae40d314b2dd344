"""Whether the compiled form of a module runs, or its source interpreted.

The environment's ``MELDWISE_KERNEL`` chooses: ``auto`` (compiled where it can be used),
``require`` (an error without a compiled one that fits its source) or ``pure``.
"""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from meldwise.game.codes import Code
from meldwise.solver import sources
from meldwise.solver.errors import KernelError

__all__ = ["KernelInfo", "compiled_module", "is_compiled", "kernel_info", "kernel_module"]

VARIABLE = "MELDWISE_KERNEL"

KERNEL = "meldwise.solver.kernel"


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


@lru_cache(maxsize=len(sources.COMPILED))
def _load(module: str) -> tuple[ModuleType, KernelInfo]:
    mode = os.environ.get(VARIABLE, "auto").strip().lower() or "auto"
    if mode not in ("auto", "require", "pure"):
        raise KernelError(Code.SOLVER_KERNEL_MODE, value=mode, allowed="auto, require, pure")
    reason = "asked"
    if mode != "pure":
        try:
            compiled = importlib.import_module(sources.compiled_name(module))
        except ImportError:
            reason = "absent"
        else:
            if source_hash(module) == compiled.SOURCE_HASH:
                return compiled, KernelInfo(compiled=True, reason="compiled")
            reason = "stale"
        if mode == "require":
            raise KernelError(Code.SOLVER_KERNEL_REQUIRED, reason=reason)
    return importlib.import_module(module), KernelInfo(False, reason)


def source_hash(module: str) -> str:
    """The hash of a module's source as it lies on the disk."""
    return sources.source_hash(Path(__file__).parents[2], module)


def compiled_module(module: str) -> ModuleType:
    """A module of :data:`meldwise.solver.sources.COMPILED`, compiled if that may be used.

    Args:
        module: the full name of its source.

    Raises:
        KernelError: if a compiled one is required and there is none that fits.
    """
    return _load(module)[0]


def is_compiled(module: str = KERNEL) -> bool:
    """Whether a module runs compiled."""
    return _load(module)[1].compiled


def kernel_module() -> ModuleType:
    """The module whose ``Kernel`` is to be used.

    Raises:
        KernelError: if a compiled kernel is required and there is none that fits.
    """
    return compiled_module(KERNEL)


def kernel_info() -> KernelInfo:
    """Which kernel runs, and why.

    Raises:
        KernelError: if a compiled kernel is required and there is none that fits.
    """
    return _load(KERNEL)[1]
