"""The addresses at which people find the server."""

from __future__ import annotations

import socket

from meldwise.server.config import Settings

__all__ = ["addresses_of"]

_ANY = ("0.0.0.0", "::", "")


def addresses_of(settings: Settings) -> list[str]:
    """The addresses to print: this machine's own first, one that others can use last."""
    found = []
    if settings.host in _ANY:
        found.append(_url("127.0.0.1", settings.port))
        found += [_url(address, settings.port) for address in _own_addresses()]
    else:
        found.append(_url(settings.host, settings.port))
    if settings.public_url:
        found.append(settings.public_url.rstrip("/") + "/")
    return found


def _url(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"


def _own_addresses() -> list[str]:
    """This machine's addresses in its networks, the one that leads out first."""
    found: list[str] = []
    # No packet is sent: this only asks which address would be used on the way there.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found.append(probe.getsockname()[0])
        except OSError:
            pass
    try:
        for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            address = str(info[4][0])
            if address not in found:
                found.append(address)
    except OSError:
        pass
    return [address for address in found if not address.startswith("127.")]
