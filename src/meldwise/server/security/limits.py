"""Token buckets: so much at once, so much in the long run, for each client."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from typing import Final

from meldwise.game.codes import Code
from meldwise.server.errors import ServerError

__all__ = ["Bucket", "Limits"]

_MOST_CLIENTS: Final = 20_000


class Bucket:
    """Holds so many tokens, and gains them again at a rate.

    Args:
        rate: tokens a second.
        size: the most it holds, and what it holds at first.
    """

    __slots__ = ("_at", "_left", "_rate", "_size")

    def __init__(self, rate: float, size: float) -> None:
        self._rate = rate
        self._size = size
        self._left = size
        self._at = time.monotonic()

    def take(self, count: float = 1) -> float:
        """Takes tokens; 0 if there were enough, else the seconds until there are."""
        now = time.monotonic()
        self._left = min(self._size, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left >= count:
            self._left -= count
            return 0.0
        return (count - self._left) / self._rate


class Limits:
    """A bucket for each client, the longest unused forgotten first.

    Args:
        rate: tokens a second.
        size: the most that a bucket holds.
    """

    def __init__(self, rate: float, size: float) -> None:
        self._rate = rate
        self._size = size
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def check(self, client: str) -> None:
        """Takes a token of a client's.

        Raises:
            ServerError: with the seconds to wait, if there is none.
        """
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = Bucket(self._rate, self._size)
            if len(self._buckets) > _MOST_CLIENTS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(client)
        if wait := bucket.take():
            raise ServerError(Code.LIMIT_RATE, seconds=math.ceil(wait))
