"""Counting instructions with Valgrind, which needs a build of torch for it."""
