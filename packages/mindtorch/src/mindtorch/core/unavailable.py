"""Names that torch offers and mindtorch cannot serve: they refuse when called, not when imported.

One mechanism for all of them: a namespace lists its names with the reason, and :func:`refusals`
makes a function of each that raises; :func:`refusing_class` makes a class that cannot be made.
Modules that are nothing but such names are listed in ``refused_names.txt`` and filled by
:func:`offer_listed`; the parameters of all refusing functions stand there.
"""

from __future__ import annotations

import enum
import sys
from ast import literal_eval
from collections import namedtuple
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from inspect import Signature, signature
from pathlib import Path
from types import ModuleType
from typing import Any

from .module_names import as_called, is_home

#: Why a name is missing, to be put after it.
COMPILER = "needs a compiler, which mindtorch does not have: run the function or module itself"
SCRIPTS = (
    "needs TorchScript's interpreter of compiled code, which mindtorch does not have: scripts are "
    "run as Python, and compiled to be saved"
)
QUANTIZED = "is a part of quantization that mindtorch does not have"
#: The reasons by the words that ``refused_names.txt`` has for them.
REASONS = {
    "absent": "needs a device that is not there",
    "agents": "needs agents that watch processes, which mindtorch does not have",
    "benchmarks": "measures torch's own kernels: there are none in mindtorch",
    "compiler": COMPILER,
    "converters": "converts models of Caffe2, which mindtorch does not have",
    "devices": "needs hardware or a library of it, which mindtorch does not have",
    "export": "needs kept calls of modules or Python's bytecode, which mindtorch does not have: "
    "torch.export.export draws programs",
    "nccl": "needs the flight recorder of NCCL, which mindtorch does not have",
    "processes": "needs several processes, which mindtorch cannot let do this",
    "quantized": QUANTIZED,
    "rpc": "writes scripts of remote modules, which mindtorch does not have: use RemoteModule",
    "scripts": SCRIPTS,
    "servers": "needs a server of etcd, which mindtorch does not have",
    "optimizers": "is for scripts, which mindtorch does not have: use torch.optim",
    "solver": "needs a solver of constraints on shapes (z3), which mindtorch does not use",
    "types": "checks shapes in annotations, which mindtorch does not do: use fx.passes.shape_prop",
    "symbols": "is a part of symbolic shapes that mindtorch does not have: see "
    "torch.fx.experimental.symbolic_shapes for what it has",
}


def refusal(
    name: str, reason: str, error: type[Exception] = NotImplementedError
) -> Callable[..., Any]:
    """A function *name* (with its namespace) that raises *error* with *reason*."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise error(f"{_outermost(name)} {reason}")

    space, _, refuse.__name__ = name.rpartition(".")
    refuse.__qualname__ = refuse.__name__
    refuse.__module__ = as_called(space.replace("torch", "mindtorch", 1))
    refuse.__doc__ = f"Refuse: it {reason}."
    vars(refuse)["_refuses"] = reason
    _sign(refuse, space)
    return refuse


class _Section:
    """What the list says of one module."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self.parameters: dict[str, str] = {}
        self.values: dict[str, Any] = {}
        self.classes: list[str] = []
        self.attributes: dict[str, dict[str, Any]] = {}  # of classes
        self.elsewhere: list[tuple[str, str]] = []
        self.order: list[str] = []


@cache
def _listed() -> dict[str, _Section]:
    """The sections of the list by the names of the modules."""
    sections: dict[str, _Section] = {}
    section = _Section("")
    for line in Path(__file__).with_name("refused_names.txt").read_text("utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if line.startswith("["):
            section = sections[word[1:-1]] = _Section(rest)
        elif word == "def":
            name, _, section.parameters[name] = rest.removesuffix(")").partition("(")
            section.order.append(name)
        elif word == "class":
            section.classes += rest.split()
            section.order += rest.split()
        elif word == "attribute":  # what programs read of a class without making one
            name, _, text = rest.partition(" ")
            owner, _, name = name.partition(".")
            section.attributes.setdefault(owner, {})[name] = literal_eval(text)
        elif word == "elsewhere":
            home, _, names = rest.partition(" ")
            section.elsewhere += [(home, name) for name in names.split()]
            section.order += names.split()
        elif word in ("alias", "value", "enum", "error", "tuple"):
            name, _, text = rest.partition(" ")
            section.values[name] = (word, text)
            section.order.append(name)
    return sections


def _sign(function: Any, space: str) -> None:
    """Give *function* of the module *space* the parameters that it has in torch, where listed."""
    space, name = space.replace("mindtorch", "torch", 1), function.__name__
    section = _listed().get(space)
    text = section and section.parameters.get(name)
    if section and text is None:  # what another module of torch defines
        home = next((home for home, other in section.elsewhere if other == name), "")
        text = home in _listed() and _listed()[home].parameters.get(name)
    if isinstance(text, str):
        function.__signature__ = _signature(text)


@cache
def _signature(text: str) -> Signature:
    return signature(eval(f"lambda {text}: None"))  # the list's own text


#: What packages above have of a module of the list, by that module's name for it.
_offered: dict[str, Any] = {}


def offer_listed(namespace: dict[str, Any]) -> None:
    """Fill a module's *namespace* with what ``refused_names.txt`` lists for it.

    Names that the module has are kept; what the package above it has of them is the same thing. A
    package finds the modules below it when asked.
    """
    own = namespace["__name__"]
    space = own.replace("mindtorch", "torch", 1)
    section = _listed()[space]
    reason = REASONS.get(section.reason, "is not in mindtorch")
    made: dict[str, Any] = {}
    for home, name in section.elsewhere:
        if isinstance(namespace.get(name), ModuleType | None):
            made[name] = getattr(import_module(home.replace("torch", "mindtorch", 1)), name)
    made |= refusals(space, section.parameters, reason)
    for name in section.classes:
        made[name] = refusing_class(f"{space}.{name}", reason)
    aliases = {name: text for name, (word, text) in section.values.items() if word == "alias"}
    made |= {n: _value(n, *said) for n, said in section.values.items() if n not in aliases}
    local = {*section.classes, *section.parameters, *section.values}
    for name in local & made.keys():
        if hasattr(made[name], "__module__"):
            made[name].__module__ = own
    above = vars(sys.modules.get(own.rpartition(".")[0], sys))
    for name in local:
        found = _offered.get(f"{space}.{name}")
        if found is None and is_home(space, name):
            found = above.get(name)
        if found is not None:
            made[name] = found
    # A function may have the name of the module that it is defined in: whoever imports that module
    # later would put it in the function's place.
    for name in made:
        if f"{space}.{name}" in _listed():
            import_module(f"{own}.{name}")
    shown = {n for n, v in namespace.items() if not isinstance(v, ModuleType)}
    namespace.update({name: value for name, value in made.items() if name not in shown})
    namespace.update({name: namespace[of] for name, of in aliases.items() if name not in namespace})
    names = namespace.setdefault("__all__", [])
    names += [name for name in section.order if name not in names]
    if "__path__" in namespace:
        namespace.setdefault("__getattr__", _finder(own, space))
        namespace.setdefault("__dir__", lambda: sorted(names))


def _value(name: str, word: str, text: str) -> Any:
    """A value of the list: a literal, an enumeration, an error or a named tuple."""
    if word == "value":
        return literal_eval(text)
    if word == "enum":
        return enum.Enum(name, literal_eval(text))  # type: ignore[misc]  # its members are data
    if word == "error":
        return type(name, (getattr(import_module("builtins"), text),), {"__doc__": "An error."})
    return namedtuple(name, text)  # type: ignore[misc]  # its fields are data


def _finder(own: str, space: str) -> Callable[[str], Any]:
    """What finds the modules below a package."""
    below = {name.rpartition(".")[2] for name in _listed() if name.rpartition(".")[0] == space}

    def __getattr__(name: str) -> Any:
        if name in below:
            return import_module(f"{own}.{name}")
        raise AttributeError(f"module '{space}' has no attribute '{name}'")

    return __getattr__


def refusals(space: str, names: Iterable[str], reason: str) -> dict[str, Callable[..., Any]]:
    """Functions of the namespace *space* that refuse with *reason*."""
    return {name: refusal(f"{space}.{name}", reason) for name in names}


def refusing_class(name: str, reason: str, bases: tuple[type, ...] = ()) -> type:
    """A class that is there for ``isinstance`` and annotations; making one raises."""
    space, _, own = name.rpartition(".")
    home = _listed().get(_home(space, own).replace("mindtorch", "torch", 1))
    said = {"__module__": space, "__doc__": f"It {reason}.", "_refuses": reason}
    said |= home.attributes.get(own, {}) if home else {}
    return type(own, bases, {"__new__": _new(name, reason), **said})


def why_refused(value: Any) -> str:
    """What a function or class of torch's lacks here, so that it refuses; empty where it works."""
    return str(getattr(value, "_refuses", "")) if callable(value) else ""


def _new(name: str, reason: str) -> Callable[..., Any]:
    def __new__(cls: type, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{_outermost(name)} {reason}")

    return __new__


def _outermost(name: str) -> str:
    """The name that programs write for *name*: where packages above its module have it as well."""
    return _offered_above().get(name, name)


@cache
def _offered_above() -> dict[str, str]:
    """What the list has in packages above the module that defines it: its name there."""
    found: dict[str, str] = {}
    for space in sorted(_listed(), key=len, reverse=True):  # the outermost last
        for home, name in _listed()[space].elsewhere:
            if home.startswith(f"{space}."):
                found[f"{home}.{name}"] = f"{space}.{name}"
    return found


def _home(space: str, name: str) -> str:
    """The module of the list that has *name* for the package *space* above it; else *space*."""
    for home, section in _listed().items():
        if home.startswith(f"{space}.") and name in (*section.classes, *section.parameters):
            return home
    return space


def offer(
    namespace: dict[str, Any], reason: str, functions: str = "", classes: str = "", public: str = ""
) -> None:
    """Put functions and classes that refuse into a module's *namespace*, and into its ``__all__``.

    *public* names what ``__all__`` holds; empty, all of them.
    """
    space = namespace["__name__"].replace("mindtorch", "torch", 1)
    made: dict[str, Any] = refusals(space, functions.split(), reason)
    for name in classes.split():
        made[name] = refusing_class(f"{space}.{name}", reason)
    for name, value in made.items():
        home = _home(space, name)
        value.__module__ = as_called(home.replace("torch", "mindtorch", 1))
        _offered[f"{home}.{name}"] = value
    namespace.update({name: value for name, value in made.items() if name not in namespace})
    namespace.setdefault("__all__", []).extend(public.split() or made)


def absent(namespace: dict[str, Any], answers: dict[str, Any]) -> None:
    """Put functions into the *namespace* of a device that is not there.

    Each is named with what it answers in torch's build for the host: a value, or an error to raise.
    """
    for names, answer in answers.items():
        for name in names.split():
            namespace[name] = _answering(name, answer)
            space = namespace["__name__"].replace("mindtorch", "torch", 1)
            home = _home(space, name).replace("torch", "mindtorch", 1)
            namespace[name].__module__ = as_called(home)
            _sign(namespace[name], namespace["__name__"])
            namespace.setdefault("__all__", []).append(name)


def _answering(name: str, answer: Any) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        if isinstance(answer, Exception):
            raise type(answer)(*answer.args)
        return answer

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Answer as torch's build for the host: there is no such device."
    return function


def absent_class(space: str, name: str, error: Exception) -> type:
    """A class of a device that is not there, in the module *space*: making one raises *error*."""

    def __new__(cls: type, *args: Any, **kwargs: Any) -> Any:
        raise type(error)(*error.args)

    home = _home(space.replace("mindtorch", "torch", 1), name).replace("torch", "mindtorch", 1)
    said = {"__module__": as_called(home), "__doc__": "There is no such device."}
    return type(name, (), {"__new__": __new__, **said})
