"""Every op row against torch eager: ``hatch run bench ops``.

``catalogue`` says what is called (rows and their samples, which torch must accept), ``plan`` and
``portable`` carry the calls to other processes, ``statements`` makes timed code of them. ``worker``
times warm calls and new shapes with both frameworks in one process, ``first_calls`` the first call
of a process. ``measure`` starts these processes for one or two checkouts and lets them take turns;
``figures``, ``table`` and ``picture`` show what came of it. ``cliffs`` are calls with a limit of
their own.
"""
