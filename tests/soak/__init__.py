"""A minute of everything at once: threads with graphs, processes with shared memory.

``hatch run soak`` runs it, ``hatch run bench:soak`` beside torch. Every result is compared with a
number worked out without a framework, and at the end nothing may be left: no tensor, no node, no
memory, no descriptor, no thread.
"""
