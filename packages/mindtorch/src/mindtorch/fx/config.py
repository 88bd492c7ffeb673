"""Switches of torch.fx."""

#: Passes say nothing of how far they are.
disable_progress = True
#: They say much of it.
verbose_progress = False
#: Nodes keep no stack trace in what is printed.
do_not_emit_stack_traces = False
