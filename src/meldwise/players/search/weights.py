"""How likely each seat wins a round that goes on, as learned from rounds of greedy players.

The chances are a softmax over the seats of a weighted sum of the features of each hand
(multinomial logistic regression on rounds of greedy players, cut at random turns; see
``docs/search.md``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["FEATURES", "weights_for"]

FEATURES: Final = 20
"""What the compiled playouts say of a hand, in the order of the weights."""

# Of a hand: its place in the turns to come, tiles, their square, those that fit, those with
# three outs or more, a tenth of its value, unopened, tiles if unopened, jokers, one tile, two
# tiles, tiles with one or two outs, tiles without outs, three tiles, all tiles fit; value and
# tiles as the stock runs out, which are left out since greedy players keep no jokers, so that
# their rounds cannot tell what these are worth then; and if unopened the value that makes
# melds, whether that opens, and twins.
_WEIGHTS: Final[Mapping[int, tuple[float, ...]]] = {
    2: (
        *(-0.0232, -0.0358, 0.0186, -0.0233, -0.0413),
        *(-0.0316, 0.3371, -0.0188, 0.287, 0.5688),
        *(0.4484, -0.0895, -0.128, 0.1459, 0.1762),
        *(0.0, 0.0, -0.0236, 0.3803, -0.1122),
    ),
    3: (
        *(-0.102, -0.0727, 0.0517, -0.065, -0.107),
        *(-0.0328, -0.1936, 0.0203, 0.2159, 0.7572),
        *(0.3692, -0.1581, -0.2033, 0.2298, 0.3732),
        *(0.0, 0.0, 0.0207, 0.0449, -0.1021),
    ),
    4: (
        *(-0.1805, -0.0836, 0.0881, -0.0609, -0.1178),
        *(-0.0051, -0.3864, 0.0128, 0.1946, 0.689),
        *(0.5079, -0.1588, -0.3007, 0.2489, 0.3773),
        *(0.0, 0.0, -0.0259, -0.0215, -0.0655),
    ),
}


def weights_for(players: int) -> tuple[float, ...]:
    """The weight of each feature of a hand, for that many players; for more as for four."""
    return _WEIGHTS[min(players, max(_WEIGHTS))]
