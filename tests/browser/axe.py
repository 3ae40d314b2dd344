"""Looks at a page with axe-core, which is among the web client's packages."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from playwright.sync_api import Page

from tests.browser.conftest import ROOT

SCRIPT = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


@lru_cache(maxsize=1)
def _source() -> str:
    return SCRIPT.read_text(encoding="utf-8")


def problems(page: Page) -> list[str]:
    """What axe calls serious or critical on the page as it is, by day and by night, a line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    found: list[str] = []
    schemes: tuple[Literal["dark", "light"], ...] = ("dark", "light")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        violations: list[dict[str, Any]] = page.evaluate(
            """async () => {
                // Colours on their way are nobody's to read.
                for (const one of document.getAnimations()) {
                    if (one instanceof CSSTransition) one.finish();
                }
                const found = await axe.run(document, {
                    runOnly: [
                        'wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice',
                    ],
                });
                return found.violations;
            }"""
        )
        found += [
            f"{scheme}: {one['id']} ({one['impact']}): {node['target']} {node['failureSummary']}"
            for one in violations
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]
    return found
