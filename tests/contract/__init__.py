"""Comparisons with the oracle: the installed torch. Every test here needs it."""
