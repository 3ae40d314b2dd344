"""What the kernel's source needs of Cython's ``cython`` module when it runs interpreted.

Only used where Cython itself is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

__all__ = ["cast", "cclass", "cfunc", "compiled", "declare", "exceptval", "longlong", "nogil"]

T = TypeVar("T")


def __getattr__(name: str) -> None:
    """A C type whose name means something else in Python."""
    if name != "int":
        raise AttributeError(name)


compiled = False
longlong = None


def cclass(kind: T) -> T:
    """A class with typed attributes when compiled."""
    return kind


def cfunc(function: T) -> T:
    """A function that only compiled code calls."""
    return function


def exceptval(*, check: bool) -> Callable[[T], T]:  # noqa: ARG001
    """How a compiled function reports errors."""
    return cclass


def cast(kind: object, value: T) -> T:  # noqa: ARG001
    """A conversion between C types."""
    return value


def declare(kind: object, value: T) -> T:  # noqa: ARG001
    """A variable of a C type."""
    return value


class _NoGil(AbstractContextManager[None]):
    """Works as a decorator and in a ``with`` statement."""

    def __call__(self, function: T) -> T:
        return function

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


nogil = _NoGil()
