"""Writes the module of compiled texts: ``python -m tests.code_shapes --write | --check``.

Every row's first samples are called, with gradients and without; texts that several rows need on
the way go into the module, and those of names that most programs call. ``--check`` says whether it
is out of date: whether nothing needs a text in it any more, or rows need too many texts that it
lacks. One row more is no reason to write it anew.
"""

from __future__ import annotations

import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice, product
from pathlib import Path
from types import CodeType
from typing import Any

import mindtorch
from mindtorch.aten.register import METHODS, MODULES
from mindtorch.call import code, code_shapes
from mindtorch.call.arguments import full_arguments
from mindtorch.call.dispatch_entry import OVERLOADS, run
from mindtorch.call.entrance import Entrance
from mindtorch.call.lazy_registration import load_all
from mindtorch.call.row import ROWS, Row

from .samples import Maker, find

#: Samples of each row that are called.
SAMPLES = 3
#: How often a call comes until it is a known one, of a composite too.
OFTEN = 8
#: Texts that so many rows need are worth their place.
ROWS_OF_A_TEXT = 28
#: The part of the texts that rows need, at least, that has to be in the module.
COVERED = 0.4
#: What most programs call: *x* and *w* are matrices, *p* is a parameter, *i* has indices.
USUAL = (
    "x + 1; x - x; x * 2; 2 * x; 1 - x; x / 2; x @ w.t(); -x; x ** 2; x > 0; x == x; x[0]; x[:, "
    "1]; x[i]; x.view(12); x.view(3, 4); x.reshape(2, 6); x.reshape(-1); x.t(); x.transpose(0, "
    "1); x.permute(1, 0); x.unsqueeze(0); x.squeeze(0); x.flatten(1); x.expand(2, 3, 4); "
    "x.contiguous(); x.clone(); x.detach(); x.float(); x.to(t.float64); x.sum(); x.sum(1); "
    "x.mean(); x.mean(-1, keepdim=True); x.max(); x.max(1); x.argmax(1); x.amax(1); x.std(); "
    "x.var(-1); x.norm(); x.abs(); x.exp(); x.sqrt(); x.clamp(0, 1); x.clamp(min=0); "
    "x.masked_fill(x > 0, 0.0); x.split(2); x.chunk(2); x.repeat(2, 1); x.gather(1, i[:, "
    "None]); x.cumsum(0); x.tril(); x.topk(2); t.add(x, x); t.matmul(x, w.t()); t.cat([x, x]); "
    "t.stack([x, x]); t.zeros(2, 3); t.ones(2); t.full((2,), 1.0); t.empty(2); t.arange(5); "
    "t.randn(3); t.rand(3); t.zeros_like(x); t.ones_like(x); t.where(x > 0, x, x); t.softmax(x, "
    "-1); t.log_softmax(x, 1); t.relu(x); t.sigmoid(x); t.tanh(x); t.einsum('ij,kj->ik', x, w); "
    "t.outer(x[0], x[0]); F.linear(x, w); F.linear(x, w, w[:, 0]); F.relu(x); F.gelu(x); "
    "F.silu(x); F.softmax(x, dim=-1); F.layer_norm(x, (4,)); F.embedding(i, w); F.dropout(x, "
    "0.1); F.cross_entropy(x, i); F.mse_loss(x, x); F.nll_loss(x, i); F.conv2d(image, kernel); "
    "F.max_pool2d(image, 2); p.sum().backward(); (p * 2).mean().backward(); F.linear(x, p, "
    "None).relu().sum().backward(); F.cross_entropy(F.linear(x, p), i).backward()"
)
#: The row for which the texts of those names are noted.
PROGRAMS = "programs"
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


class Noting(dict[str, Any]):
    """Texts and what makes their functions; notes for which row functions are made of each.

    A name's own code is made once in a process, whichever row is the first to call it: its texts
    are noted for all rows that do.
    """

    def __init__(self) -> None:
        self.row = ""
        self.rows: defaultdict[str, set[str]] = defaultdict(set)
        self._name: Entrance | None = None
        self._callers: defaultdict[Entrance, set[str]] = defaultdict(set)
        self._own: defaultdict[str, set[Entrance]] = defaultdict(set)
        for method in ("parse", "miss"):
            setattr(Entrance, method, self._calling(getattr(Entrance, method)))
        for method in ("_with_own_code", "_key_maker", "_pattern_maker"):
            setattr(Entrance, method, self._making(getattr(Entrance, method)))

    def get(self, text: str, default: Any = None) -> Any:
        """The maker of *text*."""
        if self.row != PROGRAMS:
            self.rows[text].add(self.row)
        if self._name is not None:
            self._own[text].add(self._name)
        return super().get(text, default)

    def _calling(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def calling(name: Entrance, *args: Any) -> Any:
            self._callers[name].add(self.row)
            return method(name, *args)

        return calling

    def _making(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def making(name: Entrance) -> Any:
            self._name = name
            try:
                return method(name)
            finally:
                self._name = None

        return making

    def needed(self) -> dict[str, set[str]]:
        """The texts, and for which rows."""
        for text, names in self._own.items():
            self.rows[text].update(*[self._callers[name] for name in names])
        return self.rows


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


def needed() -> dict[str, set[str]]:
    """The texts that calls need, and for which rows."""
    texts = Noting()
    code._makers = texts
    load_all()
    mindtorch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        texts.row = PROGRAMS
        call_usual()
        for name in sorted(ROWS):
            texts.row = name
            call(ROWS[name])
    return texts.needed()


def call_usual() -> None:
    """Make the calls of most programs, each until code is made for it."""
    t = mindtorch
    space = {
        **{"t": t, "F": t.nn.functional, "x": t.ones(3, 4), "w": t.ones(5, 4)},
        **{"p": t.ones(5, 4, requires_grad=True), "i": t.tensor([0, 1, 2])},
        **{"image": t.ones(1, 2, 6, 6), "kernel": t.ones(3, 2, 3, 3)},
    }
    for text in USUAL.split("; "):
        code_of_call = compile(text, "<usual>", "eval")
        for _ in range(OFTEN):
            eval(code_of_call, space)


def call(row: Row) -> None:
    """Call the samples of *row* in every way, as often as it takes until code is made for them."""
    generator = find(row.samples) if row.samples else None
    if generator is None:
        return
    for way, grad, _ in product(ways(row), (False, True), range(OFTEN)):
        try:
            for sample in islice(generator(Maker(mindtorch, "float32", grad=grad)), SAMPLES):
                differentiate(way(*sample.args, **sample.kwargs))
        except REFUSED:
            continue


def module(texts: dict[str, set[str]], cells: dict[str, tuple[str, ...]]) -> str:
    """The text of the module."""
    wanted = sorted(
        text for text, rows in texts.items() if PROGRAMS in rows or len(rows) >= ROWS_OF_A_TEXT
    )
    parts = [HEAD]
    for i, text in enumerate(wanted):
        parts.append(f"\n{code.maker_text(f'_{i}', text, dict.fromkeys(cells[text]))}")
    parts.append("\n\n#: Digest of a text -> what makes its function.\n")
    parts.append("MAKERS: dict[int, Callable[..., Any]] = {\n")
    parts += [f"    {code.digest(text)}: _{i},\n" for i, text in enumerate(wanted)]
    return "".join([*parts, "}\n"])


def outdated(texts: dict[str, set[str]]) -> list[str]:
    """What is wrong with the module, one line each."""
    digests = {code.digest(text): len(rows) for text, rows in texts.items()}
    assert len(digests) == len(texts), "two texts of one digest"
    stale = [d for d in code_shapes.MAKERS if d not in digests]
    found = [f"{len(stale)} texts are not needed any more"] if stale else []
    covered = sum(count for d, count in digests.items() if d in code_shapes.MAKERS)
    if covered < COVERED * sum(digests.values()):
        found.append(f"it has {covered} of {sum(digests.values())} texts that rows need")
    return found


def hidden_cells() -> list[str]:
    """Texts of which a function assigns what it is given as a cell: it would never see the cell."""
    found = []
    for text, (make, cells) in code._makers.items():
        functions = [c for c in make.__code__.co_consts if isinstance(c, CodeType)]
        names = {n for f in functions for n in f.co_varnames}.intersection(cells)
        if names:
            found.append(f"{', '.join(sorted(names))} of a text is a cell and a variable:\n{text}")
    return found


def main(arguments: list[str]) -> int:
    """Write the module, or tell what is out of date."""
    if arguments not in (["--write"], ["--check"]):
        print(__doc__)
        return 2
    if arguments == ["--write"]:
        code_shapes.MAKERS.clear()
        texts = needed()
        FILE.write_text(module(texts, code.texts()), "utf-8")
        return 0
    wrong = [*outdated(needed()), *hidden_cells()]
    if wrong:
        print(*wrong, "`hatch run shapes` writes the module anew", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
