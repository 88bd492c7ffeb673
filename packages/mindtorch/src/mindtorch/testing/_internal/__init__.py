"""Helpers of tests that libraries import from torch."""
