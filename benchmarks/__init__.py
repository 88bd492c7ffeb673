"""mindtorch against torch, as ratios: ``python -m benchmarks [names] [--json FILE]``.

A ratio is ours divided by torch's, measured in one run: both sides take turns, on one thread, in
CPU time, with the garbage collector off. Only ratios mean something on a shared machine.
"""
