"""Who somebody is: guests with a name and a token; room for accounts."""

from meldwise.server.accounts.accounts import COOKIE, Accounts

__all__ = ["COOKIE", "Accounts"]
