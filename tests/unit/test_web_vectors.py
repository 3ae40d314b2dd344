from scripts.web_vectors import TARGET, vectors_text


def test_the_web_clients_melds_are_those_of_the_engine() -> None:
    assert TARGET.read_text(encoding="utf-8") == vectors_text(), "run scripts/web_vectors.py"
