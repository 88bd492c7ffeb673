"""Names that torch offers and mindtorch cannot serve: they refuse when called, not when imported.

One mechanism for all of them: a namespace lists its names with the reason, and :func:`refusals`
makes a function of each that raises; :func:`refusing_class` makes a class that cannot be made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

#: Why a name is missing, to be put after it.
COMPILER = "needs a compiler, which mindtorch does not have: run the function or module itself"
SCRIPTS = "needs TorchScript, which mindtorch does not have: save the module's state_dict() instead"
QUANTIZED = "needs quantized tensors, which mindtorch does not have"
SPARSE = "needs sparse tensors, which mindtorch does not have"
NESTED = "needs nested tensors, which mindtorch does not have"


def refusal(
    name: str, reason: str, error: type[Exception] = NotImplementedError
) -> Callable[..., Any]:
    """A function *name* (with its namespace) that raises *error* with *reason*."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise error(f"{name} {reason}")

    refuse.__name__ = refuse.__qualname__ = name.rpartition(".")[2]
    refuse.__doc__ = f"Refuse: it {reason}."
    return refuse


def refusals(space: str, names: Iterable[str], reason: str) -> dict[str, Callable[..., Any]]:
    """Functions of the namespace *space* that refuse with *reason*."""
    return {name: refusal(f"{space}.{name}", reason) for name in names}


def refusing_class(name: str, reason: str, bases: tuple[type, ...] = ()) -> type:
    """A class that is there for ``isinstance`` and annotations; making one raises."""
    space, _, own = name.rpartition(".")
    return type(
        own, bases, {"__module__": space, "__new__": _new(name, reason), "__doc__": f"It {reason}."}
    )


def _new(name: str, reason: str) -> Callable[..., Any]:
    def __new__(cls: type, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{name} {reason}")

    return __new__


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
        made[name].__module__ = namespace["__name__"]
    namespace.update({name: value for name, value in made.items() if name not in namespace})
    namespace.setdefault("__all__", []).extend(public.split() or made)


def absent(namespace: dict[str, Any], answers: dict[str, Any]) -> None:
    """Put functions into the *namespace* of a device that is not there.

    Each is named with what it answers in torch's build for the host: a value, or an error to raise.
    """
    for names, answer in answers.items():
        for name in names.split():
            namespace[name] = _answering(name, answer)
            namespace.setdefault("__all__", []).append(name)


def _answering(name: str, answer: Any) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        if isinstance(answer, Exception):
            raise type(answer)(*answer.args)
        return answer

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Answer as torch's build for the host: there is no such device."
    return function


def absent_class(name: str, error: Exception) -> type:
    """A class of a device that is not there: making one raises *error*."""

    def __new__(cls: type, *args: Any, **kwargs: Any) -> Any:
        raise type(error)(*error.args)

    return type(name, (), {"__new__": __new__, "__doc__": "There is no such device."})
