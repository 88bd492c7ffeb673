"""Writes the module of compiled texts: ``python -m tests.code_shapes --write | --check``.

Every row's first samples are called, with gradients and without; texts of which several functions
were made on the way go into the module. ``--check`` says whether it is out of date: whether a text
in it is not made any more, or too many functions are made of texts that it lacks. One row more is
no reason to write it anew.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import mindtorch
from mindtorch.aten.register import METHODS, MODULES
from mindtorch.call import code, code_shapes
from mindtorch.call.arguments import full_arguments
from mindtorch.call.dispatch_entry import OVERLOADS, run
from mindtorch.call.lazy_registration import load_all
from mindtorch.call.row import ROWS, Row
from mindtorch.testing import Maker, find

#: Samples of each row that are called.
SAMPLES = 3
#: Texts of so many functions are worth their place.
FUNCTIONS = 4
#: The part of all functions, at least, whose texts have to be in the module.
COVERED = 0.8
#: What a row's samples refuse.
REFUSED = (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError, AttributeError)
FILE = Path(code_shapes.__file__)
HEAD = '''\
"""Texts of :mod:`.code` as compiled code. Written by ``hatch run shapes``: do not edit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# fmt: off
# ruff: noqa
# mypy: ignore-errors

'''


class Counting(dict[str, Any]):
    """Texts and what makes their functions; notes for which row functions are made of each."""

    def __init__(self) -> None:
        self.row = ""
        self.rows: defaultdict[str, set[str]] = defaultdict(set)

    def get(self, text: str, default: Any = None) -> Any:
        """The maker of *text*."""
        self.rows[text].add(self.row)
        return super().get(text, default)


def ways(row: Row) -> Iterator[Callable[..., Any]]:
    """What a program calls to reach *row*."""
    functions, base = MODULES[row.module], row.base
    if "function" in row.variants and base in functions:
        yield functions[base]
    if "method" in row.variants and base in METHODS:
        yield lambda self, *args, **kwargs: getattr(self, base)(*args, **kwargs)
    overload = OVERLOADS["aten::" + row.name]
    yield lambda *args, **kwargs: run(overload, full_arguments(overload, args, kwargs))


def differentiate(result: Any) -> None:
    """Run the nodes of what has a history."""
    if isinstance(result, (tuple, list)):
        for each in result:
            differentiate(each)
    elif isinstance(result, mindtorch.Tensor) and result.requires_grad:
        result.backward(mindtorch.ones_like(result.detach()), retain_graph=True)


def call_all() -> None:
    """Call the samples of every row in every way."""
    for name in sorted(ROWS):
        row = ROWS[name]
        generator = find(row.samples) if row.samples else None
        if generator is None:
            continue
        for way in ways(row):
            for grad in (False, True):
                try:
                    for call in islice(generator(Maker(mindtorch, "float32", grad=grad)), SAMPLES):
                        differentiate(way(*call.args, **call.kwargs))
                except REFUSED:
                    continue


def made() -> Counter[str]:
    """How many functions are made of each text."""
    counting = code._makers = Counting()
    load_all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mindtorch.manual_seed(0)
        call_all()
    return counting.made


def module(texts: Counter[str], cells: dict[str, tuple[str, ...]]) -> str:
    """The text of the module."""
    wanted = sorted(text for text, count in texts.items() if count >= FUNCTIONS)
    parts = [HEAD]
    for i, text in enumerate(wanted):
        parts.append(f"\n{code.maker_text(f'_{i}', text, dict.fromkeys(cells[text]))}")
    parts.append("\n\n#: Digest of a text -> what makes its function.\n")
    parts.append("MAKERS: dict[int, Callable[..., Any]] = {\n")
    parts += [f"    {code.digest(text)}: _{i},\n" for i, text in enumerate(wanted)]
    return "".join([*parts, "}\n"])


def outdated(texts: Counter[str]) -> list[str]:
    """What is wrong with the module, one line each."""
    digests = {code.digest(text): count for text, count in texts.items()}
    assert len(digests) == len(texts), "two texts of one digest"
    stale = [d for d in code_shapes.MAKERS if d not in digests]
    found = [f"{len(stale)} texts are not made any more"] if stale else []
    covered = sum(count for d, count in digests.items() if d in code_shapes.MAKERS)
    if covered < COVERED * texts.total():
        found.append(f"{covered} of {texts.total()} functions are of texts in it")
    return found


def main(arguments: list[str]) -> int:
    """Write the module, or tell what is out of date."""
    if arguments not in (["--write"], ["--check"]):
        print(__doc__)
        return 2
    if arguments == ["--write"]:
        code_shapes.MAKERS.clear()
        texts = made()
        FILE.write_text(module(texts, code.texts()), "utf-8")
        return 0
    wrong = outdated(made())
    print("\n".join(wrong), end="")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
