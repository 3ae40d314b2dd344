"""``python -m meldwise`` is the same as ``meldwise``."""

from meldwise.cli import main

if __name__ == "__main__":
    main()
