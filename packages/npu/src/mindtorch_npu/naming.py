"""The metaclass of classes that say they live where torch has them, which texts show."""

from __future__ import annotations

__all__ = ["Named"]


class Named(type):
    """So that who joins the packages can say how pickle finds such classes.

    ``pickle`` asks a reducer of the metaclass before it looks at ``__module__``.
    """
