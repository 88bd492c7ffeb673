"""Passes that change a module, and what runs them."""
