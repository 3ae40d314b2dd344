"""The verifiable shuffle: committed to before the deal, revealed after the round.

The host publishes the SHA-256 commitment of a secret 32-byte seed; then every player may
add a seed of their own; the deal follows from all of them. When the round is over the
host's seed is revealed, and anyone can recompute the deal. ``docs/shuffle.md`` states the
algorithm for other languages, with test vectors.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from meldwise.game.codes import Code
from meldwise.game.errors import ShuffleError
from meldwise.game.rules import Rules
from meldwise.game.tiles import FACES, JOKER, TILES, Tile

__all__ = [
    "ALGORITHM",
    "LONGEST_PLAYER_SEED",
    "SEED_BYTES",
    "Seeds",
    "box_of",
    "check_commitment",
    "commitment_of",
    "shuffled",
]

ALGORITHM: Final = "meldwise-shuffle-1"
"""The name and version of the algorithm; another algorithm gets another name."""

SEED_BYTES: Final = 32
"""The length of the host's seed."""

LONGEST_PLAYER_SEED: Final = 200
"""The longest seed of a player, in bytes of UTF-8."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """What a round's tiles follow from.

    Attributes:
        server: the host's secret seed, 32 bytes.
        players: a text from each seat, in order; empty where a player gave none.

    Raises:
        ShuffleError: on a seed of the wrong length or with a lone surrogate.
    """

    server: bytes
    players: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.server) != SEED_BYTES:
            raise ShuffleError(
                Code.SHUFFLE_BAD_SEED, have=len(self.server), need=SEED_BYTES, unit="bytes"
            )
        for seat, text in enumerate(self.players):
            try:
                length = len(text.encode())
            except UnicodeEncodeError:
                raise ShuffleError(Code.SHUFFLE_BAD_SEED, seat=seat, unit="text") from None
            if length > LONGEST_PLAYER_SEED:
                raise ShuffleError(
                    Code.SHUFFLE_BAD_SEED,
                    seat=seat,
                    have=length,
                    need=LONGEST_PLAYER_SEED,
                    unit="bytes",
                )

    def key(self, number: int) -> bytes:
        """The 32-byte key of a round, by its number from 1."""
        digest = hashlib.sha256(f"{ALGORITHM} key\n".encode())
        digest.update(self.server)
        digest.update(number.to_bytes(4, "big"))
        digest.update(len(self.players).to_bytes(1, "big"))
        for text in self.players:
            data = text.encode()
            digest.update(len(data).to_bytes(2, "big") + data)
        return digest.digest()


def commitment_of(server_seed: bytes) -> str:
    """What the host publishes before the players' seeds are known, in 64 hex digits."""
    return hashlib.sha256(f"{ALGORITHM} commit\n".encode() + server_seed).hexdigest()


def check_commitment(commitment: str, server_seed: bytes) -> None:
    """Compares a revealed seed with the commitment made before.

    Raises:
        ShuffleError: if it is another seed than was committed to.
    """
    actual = commitment_of(server_seed)
    if not hmac.compare_digest(actual.encode(), commitment.lower().encode()):
        raise ShuffleError(Code.SHUFFLE_COMMITMENT, commitment=commitment, actual=actual)


def box_of(rules: Rules) -> tuple[Tile, ...]:
    """All the tiles of a box: by index, the copies of a face together, the jokers last."""
    faces = [tile for tile in TILES[:FACES] for _ in range(rules.copies)]
    return (*faces, *[JOKER] * rules.jokers)


def shuffled(tiles: Sequence[Tile], key: bytes, label: str) -> tuple[Tile, ...]:
    """The tiles in the order that a key and a label give: Fisher and Yates, from the end.

    Args:
        tiles: what to shuffle, in the order of :func:`box_of`.
        key: the key of the round.
        label: what the order is for: ``draw-1``, ``draw-2``, … for who begins, ``deal-1``,
            … for the deal.
    """
    order = list(tiles)
    words = _words(key, label)
    for last in range(len(order) - 1, 0, -1):
        chosen = _below(last + 1, words)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def _words(key: bytes, label: str) -> Iterator[int]:
    """64-bit numbers: four from each HMAC-SHA-256 of the label and a block number."""
    block = 0
    while True:
        text = label.encode() + b"/" + block.to_bytes(4, "big")
        digest = hmac.digest(key, text, "sha256")
        yield from _WORDS.unpack(digest)
        block += 1


_WORDS: Final = struct.Struct(">4Q")


def _below(limit: int, words: Iterator[int]) -> int:
    """A number from 0 to ``limit - 1``, each as likely: words beyond a multiple are skipped."""
    word = next(words)
    while word >= (1 << 64) - (1 << 64) % limit:
        word = next(words)
    return word % limit
