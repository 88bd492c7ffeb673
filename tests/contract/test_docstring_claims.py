"""What docstrings say of shapes, dtypes, memory, gradients and errors is so, for every row."""

from __future__ import annotations

import re
from typing import Any

import mindtorch
from mindtorch.aten.docstrings import docstring
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.overload import FUNCTIONAL
from mindtorch.call.row import ROWS

from .batches import every
from .rows import NAMES, is_tensor, mapped, overload_form, samples, tensors_in

#: A dtype of each kind that a docstring says is not accepted.
_KINDS = {
    "complex": "complex64",
    "floating-point": "float32",
    "integer": "int64",
    "bool": "bool",
    "uint16 to uint64": "uint16",
}


#: Rows that refuse a dimension in another way, as torch does.
_OTHER_REFUSALS = ("_weight_norm_interface", "_weight_norm_differentiable_backward", "narrow_copy")


def _claims(name: str) -> dict[str, str]:
    """The lines of a row's docstring by their first word; ``Raises`` has the types of errors."""
    text = docstring(ROWS[name].base, [OVERLOADS[f"aten::{name}"]]) or ""
    found = dict(re.findall(r"^(Shapes|Dtypes|Memory|Gradient): (.*)\.$", text, re.MULTILINE))
    found["Raises"] = " ".join(re.findall(r"^Raises (\w+)", text, re.MULTILINE))
    return found


def _functional(name: str) -> bool:
    overload = OVERLOADS[f"aten::{name}"]
    return overload.kind == FUNCTIONAL and bool(ROWS[name].samples)


def _results(value: Any) -> list[Any]:
    return tensors_in(value)


def _run(name: str, call: Any) -> Any:
    return overload_form(ROWS[name]).ours(*call.args, **call.kwargs)


def _floating(tensor: Any) -> bool:
    return tensor.dtype.is_floating_point or tensor.dtype.is_complex


def _bound(name: str, call: Any) -> dict[str, Any]:
    """The tensors of a call by the names that the docstring has for them."""
    names = ["input" if n == "self" else n for n in OVERLOADS[f"aten::{name}"].names]
    given = dict(zip(names, call.args, strict=False)) | call.kwargs
    return {key: value for key, value in given.items() if tensors_in(value)}


@every("name", [n for n in NAMES if _functional(n)])
def test_claims_of_a_docstring_hold(name: str) -> None:
    OVERLOADS[f"aten::{name}"].analyse()
    claims = _claims(name)
    wrong = []
    for sample in samples(ROWS[name], "float32", most=2):
        call = sample.ours
        operands = _bound(name, call)
        try:
            results = _results(_run(name, call))
        except (AttributeError, RuntimeError, TypeError, IndexError):
            continue  # a sample of another dtype, or for the argument parser alone
        shaped = claims.get("Shapes", "").removeprefix("the result has that of ")
        if [*operands] == [shaped] and any(r.shape != operands[shaped].shape for r in results):
            wrong.append(("shape", sample))
        seen = claims.get("Memory", "").removeprefix("that of ")
        if seen in operands:
            start = operands[seen].untyped_storage().data_ptr()
            if any(r.untyped_storage().data_ptr() != start for r in results):
                wrong.append(("memory", sample))
        wrong += [(claim, sample) for claim in _gradients(name, claims, sample)]
        ranged = "IndexError" in claims["Raises"] and name not in _OTHER_REFUSALS
        if ranged and not _refuses_a_dimension(name, call):
            wrong.append(("dimension", sample))
    for word, dtype in _KINDS.items():
        if re.search(rf"; not .*\b{word}\b", claims.get("Dtypes", "")):
            wrong += [(word, sample) for sample in _accepted(name, dtype)]
    assert not wrong


def _refuses_a_dimension(name: str, call: Any) -> bool:
    """Whether an IndexError comes of a dimension that is not there, if the call gives one."""
    names = OVERLOADS[f"aten::{name}"].names
    args = [
        99 if n == "dim" and type(a) is int else a for n, a in zip(names, call.args, strict=False)
    ]
    kwargs = {n: 99 if n == "dim" and type(a) is int else a for n, a in call.kwargs.items()}
    if not any(type(value) is int and value == 99 for value in (*args, *kwargs.values())):
        return True
    try:
        overload_form(ROWS[name]).ours(*args, **kwargs)
    except IndexError:
        return True
    return False


def _gradients(name: str, claims: dict[str, str], sample: Any) -> list[str]:
    claim = claims.get("Gradient", "")
    if "with respect to" not in claim and claim != "none":
        return []
    # What is not implemented raises in a backward; the result asks for gradients all the same.
    named = [key for part in claim.split("; ") for key in part.partition(" to ")[2].split(", ")]
    wrong = []
    for key in _bound(name, sample.ours):
        call = sample.ours
        operands = _bound(name, call)
        if not all(_floating(t) for t in tensors_in(operands[key])):
            continue

        def leaf(tensor: Any, wanted: list[Any] = tensors_in(operands[key])) -> Any:
            mine = any(tensor is t for t in wanted)
            return tensor.detach().clone().requires_grad_() if mine else tensor.detach()

        args = [mapped(a, leaf) for a in call.args]
        kwargs = {k: mapped(v, leaf) for k, v in call.kwargs.items()}
        try:
            results = _results(overload_form(ROWS[name]).ours(*args, **kwargs))
        except (RuntimeError, NotImplementedError):
            continue
        asking = [r for r in results if r.requires_grad]
        if bool(asking) != (key in named):
            wrong.append(f"gradient of {key}")
        elif asking and claim == f"with respect to {', '.join(named)}":
            leaves = [t for t in tensors_in([args, list(kwargs.values())]) if t.requires_grad]
            total = mindtorch.stack([abs(r).sum().to(mindtorch.float64) for r in asking]).sum()
            try:
                mindtorch.autograd.grad(total, leaves, allow_unused=True)
            except (NotImplementedError, RuntimeError) as error:
                if "not implemented" in str(error):
                    wrong.append(f"formula of {key}")
    return wrong


def _accepted(name: str, dtype: str) -> list[Any]:
    """Samples of *dtype* that are computed though the docstring says they are refused."""
    found = []
    for sample in samples(ROWS[name], dtype, most=1):
        operands = sample.ours.args  # a number may promote what alone is refused
        if all(is_tensor(t) and t.dtype == getattr(mindtorch, dtype) for t in operands):
            try:
                _run(name, sample.ours)
            except (RuntimeError, TypeError):
                continue
            found.append(sample)
    return found
