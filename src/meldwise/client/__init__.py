"""A client of the server, in Python: HTTP and the streams of tables.

>>> async def play_alone() -> None:
...     async with Client("http://127.0.0.1:8765") as client:
...         await client.sign_in("Ana")
...         page = await client.create_table([Mine(), ComputerSeat(player="plain")], start=True)
...         async with client.table(page.table.id) as table:
...             await table.be_ready()
...             state = await table.until(lambda state: table.my_turn is not None)
...             await table.draw()
"""

from meldwise.client.client import Client
from meldwise.client.errors import ClientError, ConnectionLostError, RefusedError
from meldwise.client.table import TableStream
from meldwise.protocol.http import ComputerSeat, Mine, OpenSeatPlan

__all__ = [
    "Client",
    "ClientError",
    "ComputerSeat",
    "ConnectionLostError",
    "Mine",
    "OpenSeatPlan",
    "RefusedError",
    "TableStream",
]
