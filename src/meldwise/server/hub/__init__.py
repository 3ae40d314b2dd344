"""How processes on one database tell each other that something has changed."""

from meldwise.server.hub.hub import Hub, LocalHub

__all__ = ["Hub", "LocalHub"]
