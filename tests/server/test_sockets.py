"""Nothing waits on the way: small messages leave the server at once."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace

from meldwise.server.config import Settings
from meldwise.server.run import bind
from tests.server.support import asynchronous


@asynchronous
async def test_a_message_does_not_wait_for_the_one_before() -> None:
    listener, settings = bind(replace(Settings(), port=0), any_port=True)
    seen = asyncio.get_running_loop().create_future()

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted = writer.get_extra_info("socket")
        seen.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async with await asyncio.start_server(answer, sock=listener):
        _, writer = await asyncio.open_connection(settings.host, settings.port)
        assert await seen
        writer.close()
