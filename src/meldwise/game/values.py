"""Frozen dataclasses that are made quickly, for values of which each turn needs many.

The constructor that :func:`dataclasses.dataclass` writes for a frozen class calls
``object.__setattr__`` for each field, which takes ten times as long as an assignment: with a
dozen values a turn that was a sixth of the time of a game between quick players.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, Final, TypeVar

__all__ = ["quickly_made"]

_T = TypeVar("_T")

_set_class: Final[Callable[[object, type], None]] = object.__dict__["__class__"].__set__


def quickly_made(cls: type[_T]) -> type[_T]:
    """Gives a frozen dataclass with slots a quicker constructor of the same signature.

    While its fields are assigned, a new value is of a twin class with the same slots and
    nothing that forbids it; nobody else can see it before it is of its own class again, and
    frozen. The class has to be final: a subclass would have other slots than the twin.

    Raises:
        TypeError: for a class with fields that the constructor does not take, or with
            keyword-only ones or factories, or without slots.
    """
    names = [spec.name for spec in fields(cls)]  # type: ignore[arg-type]
    if any(map(_is_special, fields(cls))) or tuple(names) != cls.__dict__.get("__slots__"):  # type: ignore[arg-type]
        raise TypeError(cls)
    twin = type(f"_Open{cls.__name__}", (), {"__slots__": tuple(names)})
    defaults = {
        f"_default_{spec.name}": spec.default
        for spec in fields(cls)  # type: ignore[arg-type]
        if spec.default is not MISSING
    }
    parameters = [
        f"{name}=_default_{name}" if f"_default_{name}" in defaults else name for name in names
    ]
    body = [
        f"def __init__(self, {', '.join(parameters)}):",
        "    _set_class(self, _twin)",
        *[f"    self.{name} = {name}" for name in names],
        "    self.__class__ = _own",
    ]
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()")
    scope: dict[str, Any] = {"_set_class": _set_class, "_twin": twin, "_own": cls, **defaults}
    exec("\n".join(body), scope)
    made = scope["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__module__ = cls.__module__
    made.__annotations__ = cls.__init__.__annotations__
    cls.__init__ = made  # type: ignore[method-assign]
    return cls


def _is_special(spec: Field[Any]) -> bool:
    return not spec.init or bool(spec.kw_only) or spec.default_factory is not MISSING
