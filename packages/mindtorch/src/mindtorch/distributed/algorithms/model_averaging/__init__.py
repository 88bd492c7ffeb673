"""Averages of models over processes."""
