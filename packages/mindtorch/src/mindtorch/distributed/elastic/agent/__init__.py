"""Agents, which start processes and watch them."""
