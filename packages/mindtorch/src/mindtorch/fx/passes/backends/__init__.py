"""Passes for some backends."""
