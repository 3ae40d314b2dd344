"""What Prometheus is told: counts and times, and never anything about a hand or a person."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["Metrics"]


class Metrics:
    """The metrics of one process.

    Attributes:
        registry: what they are collected in.
        connections: open WebSocket connections.
        tables: loaded tables.
        moves: moves of people.
        messages: messages taken from clients.
        refusals: commands refused, by code.
        errors: errors of the server's own.
        command_seconds: how long commands took.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.connections = Gauge("meldwise_connections", "Open connections.", registry=registry)
        self.tables = Gauge("meldwise_tables", "Loaded tables.", registry=registry)
        self.moves = Counter("meldwise_moves", "Moves of people.", registry=registry)
        self.messages = Counter(
            "meldwise_messages", "Messages taken from clients.", registry=registry
        )
        self.refusals = Counter(
            "meldwise_refusals", "Refused commands.", ["code"], registry=registry
        )
        self.errors = Counter("meldwise_errors", "Errors of the server.", registry=registry)
        self.command_seconds = Histogram(
            "meldwise_command_seconds",
            "How long commands took, until they were on disk.",
            buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
            registry=registry,
        )

    def text(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self.registry)
