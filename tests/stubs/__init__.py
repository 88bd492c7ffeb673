"""The stubs (``.pyi``) that ship with mindtorch: type checkers read them, nothing runs them.

Functions and methods of ops are made of rows at run time, and many namespaces find names when
they are first asked for; a checker sees neither. So the signatures are written out here, from the
same schemas that the argument parser reads:

* ``python -m tests.stubs --write`` writes every stub, ``--check`` says which are out of date;
* ``written/`` holds what neither a row nor a hint in the source says: functions that read their
  arguments by hand and return one type or another.
"""
