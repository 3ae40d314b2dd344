"""A brief fuzzing of every parser; ``python -m tests.fuzz.fuzz_parsers`` is the long one."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.fuzz_parsers import TARGETS, attempt, changed, inputs


@pytest.mark.parametrize("name", TARGETS)
def test_valid_texts_are_read_or_refused_with_a_typed_error(name: str) -> None:
    assert any(attempt(name, text) for text in TARGETS[name].texts)


@pytest.mark.parametrize("name", TARGETS)
def test_changed_texts_meet_typed_errors_only(name: str) -> None:
    random = Random(f"fuzz {name}")
    texts = TARGETS[name].texts
    read = 0
    count = {"record": 250, "player": 150}.get(name, 1_500)
    for _ in range(count):
        read += attempt(name, changed(random.choice(texts), random.choice(texts), random, 40))
    assert 0 < read < count


@pytest.mark.parametrize("name", TARGETS)
@given(text=st.text(max_size=60))
def test_any_text_meets_typed_errors_only(name: str, text: str) -> None:
    attempt(name, text)


def test_the_long_fuzzing_reaches_every_parser() -> None:
    assert {name for name, _ in islice(inputs(Random(0), 3), 300)} == set(TARGETS)
