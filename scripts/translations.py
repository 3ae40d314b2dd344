"""Keeps the catalogues of Python's sentences: gettext files, one a language.

    python scripts/translations.py update     # takes new sentences from the source into each
    python scripts/translations.py check      # nothing missing, doubtful or differently filled
    python scripts/translations.py compile    # the .po files into the .mo files that are read

A sentence that is no longer in the source goes to the end of its file as obsolete, and comes
back with its translation if it appears again. `compile` needs Babel alone, `update` and `check`
the source tree as well.
"""

from __future__ import annotations

import argparse
import ast
import re
import string
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
SOURCE = Path("src/meldwise")
LOCALE = SOURCE / "i18n" / "locale"
DOMAIN = "meldwise"

KEYWORDS = {"_": None, "N_": None, "translate": None, "ngettext": (1, 2)}

# The names of the games' notation stay as they are in every language.
_KEPT_WORDS = re.compile(r"joker_level|MELDWISE_KERNEL|J[0-4]\b|TOML|meldwise db upgrade")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=("update", "check", "compile"))
    action = parser.parse_args().action
    if action == "update":
        update(ROOT)
        return 0
    if action == "compile":
        compile_all(ROOT)
        return 0
    faults = list(check(ROOT))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


Key = str | tuple[str, ...]
"""A sentence of the source; two of them, for one and for many, where it counts."""


def key_of(message: Message) -> Key:
    """The sentence of a message."""
    return message.id if isinstance(message.id, str) else tuple(message.id)


def forms_of(message: Message) -> tuple[str, ...]:
    """Its translation: one text, or one for each form that the language counts with."""
    text = message.string
    if text is None:
        return ("",)
    return (text,) if isinstance(text, str) else tuple(text)


def files(root: Path) -> list[Path]:
    """The catalogues, one a language."""
    return sorted((root / LOCALE).glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def extract(root: Path) -> dict[Key, list[tuple[str, int]]]:
    """The sentences of the source, each with where it stands."""
    found: dict[Key, list[tuple[str, int]]] = {}
    rows = extract_from_dir(
        root / SOURCE, method_map=[("**.py", "python")], keywords=KEYWORDS, comment_tags=("For",)
    )
    for name, line, message, _comments, _context in rows:
        key = message if isinstance(message, str) else (message[0], message[1])
        if key:
            found.setdefault(key, []).append((name, line))
    return dict(sorted(found.items(), key=lambda item: item[1][0]))


def read(path: Path) -> Catalog:
    """A catalogue as it is, obsolete sentences included."""
    return read_po(BytesIO(path.read_bytes()), locale=path.parts[-3], domain=DOMAIN)


def update(root: Path) -> None:
    """Writes each catalogue anew: the sentences of the source, with what is known of them."""
    sentences = extract(root)
    for path in files(root):
        old = read(path)
        messages = [*(message for message in old if message.id), *old.obsolete.values()]
        known = {key_of(message): forms_of(message) for message in messages}
        fresh = Catalog(
            locale=old.locale,
            domain=DOMAIN,
            header_comment=old.header_comment,
            fuzzy=False,
            project="Meldwise",
            charset="utf-8",
        )
        # How a language counts is said in its file: Babel's own forms count millions apart.
        fresh.mime_headers = old.mime_headers
        for key, places in sentences.items():
            # A file is enough to find a sentence; line numbers would change with every edit.
            where = sorted({name for name, _ in places})
            counts = isinstance(key, tuple)
            text = known.pop(key, ("",) * (old.num_plurals if counts else 1))
            places = [(name, 0) for name in where]
            fresh.add(key, text if counts else text[0], locations=places)
        for key, text in known.items():
            if any(text):
                counts = isinstance(key, tuple)
                fresh.obsolete[str(key)] = Message(key, text if counts else text[0])
        _write(path, fresh)


def _write(path: Path, catalog: Catalog) -> None:
    out = BytesIO()
    write_po(out, catalog, width=100, include_lineno=False, omit_header=True)
    plural = f"nplurals={catalog.num_plurals}; plural={catalog.plural_expr};"
    head = (
        f"{catalog.header_comment}\n"
        'msgid ""\n'
        'msgstr ""\n'
        f'"Language: {catalog.locale_identifier}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {plural}\\n"\n\n'
    )
    path.write_bytes(head.encode() + out.getvalue().lstrip(b"\n"))


def check(root: Path) -> Iterator[str]:
    """What is wrong with the catalogues, a line each."""
    sentences = extract(root)
    paths = files(root)
    if not paths:
        yield f"There is no catalogue under {LOCALE}."
    for path in paths:
        name = path.relative_to(root)
        catalog = read(path)
        for key in sentences:
            message = catalog.get(key)
            if message is None:
                yield f"{name}: missing: {_short(key)}"
                continue
            if message.fuzzy:
                yield f"{name}: doubtful: {_short(key)}"
            yield from (f"{name}: {fault}: {_short(key)}" for fault in faults_of(message, catalog))
        for message in catalog:
            if message.id and key_of(message) not in sentences:
                yield f"{name}: no longer in the source (run update): {_short(key_of(message))}"


def faults_of(message: Message, catalog: Catalog) -> Iterator[str]:
    """What is wrong with one translation."""
    key = key_of(message)
    ids = key if isinstance(key, tuple) else (key,)
    forms = forms_of(message)
    wanted = catalog.num_plurals if isinstance(key, tuple) else 1
    if len(forms) != wanted or not all(forms):
        yield "not translated"
        return
    fields = {name for text in ids for name in fields_of(text)}
    for form in forms:
        if form.strip() != form or "  " in form:
            yield "stray space"
        try:
            found = set(fields_of(form))
        except ValueError:
            yield "broken braces"
            continue
        # "A tile" needs no number where the other form says how many.
        if found != fields and not (form is not forms[-1] and found | {"count"} == fields):
            yield f"other fields ({', '.join(sorted(found ^ fields))})"
        kept = set(_KEPT_WORDS.findall(ids[0]))
        if kept - set(_KEPT_WORDS.findall(form)):
            yield "a word of the notation is lost"


def fields_of(text: str) -> list[str]:
    """The names in braces of a text; raises ValueError for braces that do not match."""
    return [field for _, field, _, _ in string.Formatter().parse(text) if field]


def _short(key: Key) -> str:
    text = key if isinstance(key, str) else key[0]
    return ast.unparse(ast.Constant(text if len(text) < 70 else text[:67] + "..."))


def compile_all(root: Path) -> list[Path]:
    """Writes the compiled catalogues beside the others, where they are older or missing."""
    made: list[Path] = []
    for path in files(root):
        target = path.with_suffix(".mo")
        if not target.is_file() or target.stat().st_mtime < path.stat().st_mtime:
            out = BytesIO()
            write_mo(out, read(path))
            target.write_bytes(out.getvalue())
        made.append(target)
    return made


if __name__ == "__main__":
    sys.exit(main())
