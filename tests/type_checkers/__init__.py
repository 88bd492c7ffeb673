"""Type checkers over programs that use mindtorch: ``python -m tests.type_checkers``.

* ``program.py``: typical code, about which no checker has anything to say;
* ``mistakes.py``: typical mistakes. Every checker tells of each of them, on its line, and of
  nothing else;
* what ``names.py`` writes: every public name of every namespace, which no checker may miss.

mypy runs in its strict mode and pyright in its standard one, both as a user runs them: mindtorch is
an installed package to them. They are installed in the lint environment.
"""
