"""Frozen values that are made quickly: they are what the plain ones are."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from meldwise.game.values import quickly_made


@dataclass(frozen=True, slots=True)
class Plain:
    name: str
    count: int = 3
    tags: tuple[str, ...] = ()


@quickly_made
@dataclass(frozen=True, slots=True)
class Quick:
    name: str
    count: int = 3
    tags: tuple[str, ...] = ()


@quickly_made
@dataclass(frozen=True, slots=True)
class Checked:
    count: int

    def __post_init__(self) -> None:
        if self.count < 0:
            raise ValueError(self.count)


def test_it_is_a_frozen_value_of_its_own_class() -> None:
    value = Quick("a", tags=("x",))
    assert type(value) is Quick
    assert (value.name, value.count, value.tags) == ("a", 3, ("x",))
    assert repr(value) == repr(Plain("a", tags=("x",))).replace("Plain", "Quick")
    assert value == Quick("a", 3, ("x",))
    assert hash(value) == hash(Quick("a", 3, ("x",)))
    assert replace(value, count=4) == Quick("a", 4, ("x",))
    assert pickle.loads(pickle.dumps(value)) == value
    with pytest.raises(FrozenInstanceError):
        value.count = 5  # type: ignore[misc]
    assert not hasattr(value, "__dict__")


def test_its_constructor_takes_what_the_plain_one_takes() -> None:
    assert inspect.signature(Quick) == inspect.signature(Plain)
    with pytest.raises(TypeError, match="name"):
        Quick()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="more"):
        Quick("a", more=1)  # type: ignore[call-arg]


def test_a_check_after_making_still_checks() -> None:
    assert Checked(1).count == 1
    with pytest.raises(ValueError, match="-1"):
        Checked(-1)


@pytest.mark.parametrize("special", ["factory", "not taken", "keyword only"])
def test_fields_that_it_cannot_make_are_refused(special: str) -> None:
    @dataclass(frozen=True, slots=True)
    class Factory:
        items: list[int] = field(default_factory=list)

    @dataclass(frozen=True, slots=True)
    class NotTaken:
        items: int = field(init=False)

    @dataclass(frozen=True, slots=True)
    class Keyword:
        items: int = field(kw_only=True)

    classes = {"factory": Factory, "not taken": NotTaken, "keyword only": Keyword}
    with pytest.raises(TypeError):
        quickly_made(classes[special])


def test_a_class_without_slots_is_refused() -> None:
    @dataclass(frozen=True)
    class Loose:
        items: int

    with pytest.raises(TypeError):
        quickly_made(Loose)
