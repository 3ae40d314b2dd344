"""The catalogues: complete, filled in alike, and read in the language that is asked for."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo

from meldwise.game.presets import GAMES
from meldwise.game.tiles import parse_tiles
from meldwise.i18n import describe_rules, tile_name, use_translations
from meldwise.i18n.translate import ngettext
from scripts import translations

LANGUAGES = ("ca", "fr", "nl")


def loaded(language: str) -> gettext.GNUTranslations:
    path = translations.ROOT / translations.LOCALE / language / "LC_MESSAGES" / "meldwise.po"
    out = BytesIO()
    write_mo(out, translations.read(path))
    out.seek(0)
    return gettext.GNUTranslations(out)


def test_every_language_has_a_catalogue() -> None:
    assert [path.parts[-3] for path in translations.files(translations.ROOT)] == list(LANGUAGES)


def test_the_catalogues_are_complete() -> None:
    assert list(translations.check(translations.ROOT)) == []


def faults(one: str | tuple[str, str], other: str | tuple[str, ...]) -> list[str]:
    catalog = Catalog(locale="nl")
    return list(translations.faults_of(Message(one, other), catalog))


def test_a_translation_has_the_same_fields() -> None:
    assert faults("{name} drew {tile}", "{name} trok {tile}") == []
    assert faults("{name} drew {tile}", "{name} trok") == ["other fields (tile)"]
    assert faults("{name} drew", "{naam} trok") == ["other fields (naam, name)"]
    assert faults("{name} drew", "{name trok") == ["broken braces"]


def test_only_the_form_for_one_may_leave_the_number_out() -> None:
    forms = ("{name} drew a tile", "{name} drew {count} tiles")
    assert faults(forms, ("{name} trok een steen", "{name} trok {count} stenen")) == []
    assert faults(forms, ("{name} trok een steen", "{name} trok stenen")) != []
    assert faults(forms, ("een steen", "{name} trok {count} stenen")) != []


def test_what_is_not_translated_is_found() -> None:
    assert faults("yes", "") == ["not translated"]
    assert faults(("{count} tile", "{count} tiles"), ("{count} steen", "")) == ["not translated"]
    assert faults("yes", " ja") == ["stray space"]
    assert faults("level J3", "niveau 3") == ["a word of the notation is lost"]


def _texts() -> Iterator[str]:
    for preset in GAMES:
        for section in describe_rules(preset.rules):
            yield section.title
            yield from section.sentences


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_english_is_left_in_the_rules(language: str) -> None:
    english = set(_texts())
    with use_translations(loaded(language)):
        assert english.isdisjoint(_texts())


@pytest.mark.parametrize(
    ("language", "tile", "one", "none"),
    [
        ("fr", "7 rouge", "1 tuile", "0 tuile"),
        ("ca", "7 vermell", "1 fitxa", "0 fitxes"),
        ("nl", "rood 7", "1 steen", "0 stenen"),
    ],
)
def test_each_language_counts_in_its_own_way(language: str, tile: str, one: str, none: str) -> None:
    with use_translations(loaded(language)):
        assert tile_name(parse_tiles("r7")[0]) == tile
        assert ngettext("{count} tile", "{count} tiles", 1).format(count=1) == one
        assert ngettext("{count} tile", "{count} tiles", 0).format(count=0) == none


def test_an_update_keeps_what_is_gone_for_later(tmp_path: Path) -> None:
    package = tmp_path / translations.SOURCE
    folder = tmp_path / translations.LOCALE / "nl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    source = package / "words.py"
    catalogue = folder / "meldwise.po"
    source.write_text('_("yes")\n_("no")\n')
    catalogue.write_text('# Dutch.\nmsgid ""\nmsgstr ""\n"Language: nl\\n"\n\n')
    translations.update(tmp_path)
    assert [fault.split(": ", 1)[1] for fault in translations.check(tmp_path)] == [
        "not translated: 'yes'",
        "not translated: 'no'",
    ]
    text = catalogue.read_text()
    catalogue.write_text(text.replace('msgid "yes"\nmsgstr ""', 'msgid "yes"\nmsgstr "ja"'))
    source.write_text('_("no")\n')
    translations.update(tmp_path)
    assert '#~ msgid "yes"\n#~ msgstr "ja"' in catalogue.read_text()
    source.write_text('_("yes")\n')
    translations.update(tmp_path)
    assert list(translations.check(tmp_path)) == []
    assert translations.compile_all(tmp_path) == [catalogue.with_suffix(".mo")]
    with catalogue.with_suffix(".mo").open("rb") as compiled:
        assert gettext.GNUTranslations(compiled).gettext("yes") == "ja"
