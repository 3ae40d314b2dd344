"""The OpenAPI document: Litestar's paths, and the schemas that msgspec itself goes by."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar.connection import Request
from litestar.openapi import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin

from meldwise.protocol import commands, events, http, messages, values

__all__ = ["REFUSALS", "ExactDocument"]

_TEXTS: Final = {
    400: "Cannot be read, or is against the rules.",
    401: "Nobody is signed in.",
    403: "Not for this user.",
    404: "There is nothing of that name.",
    409: "Not now.",
    413: "Too long.",
    429: "Too much at once.",
    503: "The server starts or stops, or cannot reach its database.",
}

REFUSALS: Final = {
    status: ResponseSpec(http.Refusal, generate_examples=False, description=text)
    for status, text in _TEXTS.items()
}
"""The refusals that any request may get, for the document."""


class ExactDocument(JsonRenderPlugin):
    """Gives the document with the schemas that requests are checked by.

    Litestar's own lose limits of optional fields, and do not say that unknown ones are
    refused.
    """

    def __init__(self) -> None:
        super().__init__(path="/")
        self._document: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """The document as JSON."""
        if self._document is None:
            components = {**openapi_schema["components"]}
            components["schemas"] = {**components["schemas"], **_schemas()}
            exact = {**openapi_schema, "components": components}
            self._document = super().render(request, exact)
        return self._document


def _schemas() -> dict[str, Any]:
    kinds = [
        kind
        for module in (values, events, commands, messages, http)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        if not kind.__name__.startswith("_") and kind not in (values.Message, values.Request)
    ]
    _, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    return components
