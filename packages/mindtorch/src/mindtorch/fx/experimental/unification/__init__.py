"""Unification: what variables have to be, so that two values are equal."""

from .core import reify, unify
from .more import unifiable
from .variable import Var, isvar, var, variables, vars

__all__ = ["Var", "isvar", "reify", "unifiable", "unify", "var", "variables", "vars"]
