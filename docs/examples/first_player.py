"""A complete player without any dependency: it lays sets and runs of three from the hand."""

import json
import sys
from itertools import combinations


def number_of(tile):
    """The number of a tile such as r7."""
    return int(tile[1:])


def melds_of(hand):
    """All sets and runs of three that the hand holds, as the text and the tiles of each."""
    tiles = {tile for tile in hand if tile != "*"}
    for number in range(1, 14):
        colours = [colour for colour in "rykb" if f"{colour}{number}" in tiles]
        for chosen in combinations(colours, 3):
            yield f"{number}{''.join(chosen)}", [f"{c}{number}" for c in chosen]
    for tile in sorted(tiles):
        run = [f"{tile[0]}{number_of(tile) + step}" for step in range(3)]
        if tiles.issuperset(run):
            yield f"{tile[0]}{'-'.join(t[1:] for t in run)}", run


def choose(view):
    """The action for a view: the dearest melds, once they reach the opening minimum."""
    left, laid, points = list(view["hand"]), [], 0
    for text, tiles in sorted(melds_of(left), key=lambda meld: -sum(map(number_of, meld[1]))):
        if all(tile in left for tile in tiles):
            laid.append(text)
            points += sum(map(number_of, tiles))
            for tile in tiles:
                left.remove(tile)
    opened = view["players"][view["seat"]]["opened"]
    if laid and (opened or points >= view["rules"]["opening_minimum"]):
        return {"action": "play", "table": view["round"]["table"] + laid}
    return {"action": "draw" if view["round"]["stock"] else "pass"}


for line in sys.stdin:
    message = json.loads(line)
    answer = {"meldwise": 1} if message["type"] == "hello" else choose(message["view"])
    print(json.dumps(answer), flush=True)
