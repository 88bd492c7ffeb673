"""The source of a graph module as a person reads it, with what it has inside."""

from __future__ import annotations

from typing import Any


def _indented(text: str, n: int) -> str:
    return "\n".join(" " * n + line if line.strip() else "" for line in text.split("\n"))


def _print_readable(
    module: Any,
    module_name: str,
    print_output: bool = True,
    include_stride: bool = False,
    include_device: bool = False,
    colored: bool = False,
    expanded_def: bool = False,
    additional_meta: list[str] | None = None,
) -> str:
    assert module.graph is not None, "print_readable must be used on a module with a graph"
    made = module.graph.python_code(
        root_module="self",
        verbose=True,
        include_stride=include_stride,
        include_device=include_device,
        colored=colored,
        expanded_def=expanded_def,
        additional_meta=additional_meta,
    )
    text = f"class {module_name}(torch.nn.Module):\n" + _cleaned(made.src.lstrip("\n"))
    inner = [
        _print_readable(
            m, name, False, include_stride, include_device, colored, expanded_def, additional_meta
        )
        for name, m in module.named_children()
        if hasattr(m, "graph")
    ]
    text = "\n".join([text, *[_indented(i, 4) for i in inner]]) if inner else text
    if print_output:
        print(text)
    return text


def _cleaned(source: str) -> str:
    lines = [f"    {line}" if line.strip() else "" for line in source.split("\n")]
    return "\n".join(lines).rstrip("\n") + "\n"
