"""``torch.profiler.python_tracer``: nothing of it is offered to programs."""
