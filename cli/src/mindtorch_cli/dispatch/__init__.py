"""``mindtorch dispatch``: what the dispatcher does with an op, with a call, with a program."""

from __future__ import annotations

from ..lazy_group import Member, group

app = group(
    "Which kernel runs for which key, and why.",
    {
        "explain": Member(
            f"{__name__}.explain",
            "Show the path that a call takes, or an op's table of kernels.",
        ),
        "trace": Member(
            f"{__name__}.trace", "Run a script and show every call that it dispatches."
        ),
        "why-not": Member(
            f"{__name__}.why_not",
            "Say why no kernel would run for a key, and the line that would add one.",
        ),
        "diff": Member(f"{__name__}.diff", "Compare the tables of kernels with torch's."),
        "ops": Member(f"{__name__}.ops", "List the ops, or what lacks a kernel at a key."),
        "keys": Member(f"{__name__}.keys", "Show the order of the dispatch keys, highest first."),
    },
)


@app.callback()
def options() -> None:
    pass
