"""Modules that are here only because torch has something under their path.

The folder is part of the path of the root package: ``compat/paths/quasirandom.py`` is the module
``mindtorch.quasirandom``. Hence what is here is imported by nothing else, and imports absolutely.
"""
