"""What an export says when one of its three steps fails."""

from __future__ import annotations

__all__ = ["FIRST", "SECOND", "THIRD", "summary"]


def _blue(text: str) -> str:
    return f"\033[96m{text}\033[0m"


def _step(what: str, number: int, *steps: str) -> str:
    """The text for the failure of a step: what failed, and what to do."""
    head = f"{what} {_blue(f'This is step {number}/3')} of exporting the model to ONNX. Next steps:"
    return "\n- ".join([head, *steps])


_REPORT = (
    "Create an error report with `torch.onnx.export(..., report=True)`, and save the "
    "ExportedProgram as a pt2 file. Create an issue in the PyTorch GitHub repository against the "
    f"{_blue('*onnx*')} component. Attach the error report and the pt2 model."
)
_ISSUE = (
    f"Create an issue in the PyTorch GitHub repository against the {_blue('*torch.export*')} "
    "component and attach the full error stack as well as reproduction scripts."
)
FIRST = _step(
    "Failed to export the model with torch.export.",
    1,
    "Modify the model code for `torch.export.export` to succeed. Refer to "
    "https://pytorch.org/docs/stable/generated/exportdb/index.html for more information.",
    "Debug `torch.export.export` and submit a PR to PyTorch.",
    _ISSUE,
)
SECOND = _step("Failed to decompose the FX graph for ONNX compatibility.", 2, _ISSUE, _REPORT)
THIRD = _step(
    "Failed to convert the exported program to an ONNX model.",
    3,
    "If there is a missing ONNX function, implement it and register it to the registry.",
    "If there is an internal error during ONNX conversion, debug the error and submit a PR to "
    "PyTorch.",
    _REPORT,
)


def summary(error: BaseException) -> str:
    """What went wrong, the cause first."""
    lines: list[str] = []
    found: BaseException | None = error
    while found is not None:
        lines.insert(0, f"{type(found)}: {found}")
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return (
        "\n\n## Exception summary\n\n"
        + "\n\N{UPWARDS BLACK ARROW}\N{VARIATION SELECTOR-16}\n".join(lines)
        + "\n\n(Refer to the full stack trace above for more information.)"
    )
