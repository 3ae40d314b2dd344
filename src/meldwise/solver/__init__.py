"""Provably best plays from a position, at every joker level."""
