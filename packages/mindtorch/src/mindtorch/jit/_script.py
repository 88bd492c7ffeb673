"""``torch.jit._script``: scripted functions and modules, which run what they were made of.

torch compiles the source of a function; here the function itself runs, with the same results. A
scripted module shares its parameters with the module it was made of, and has attributes of its own.
"""

from __future__ import annotations

import copy
import copyreg
import io
import pickle
import re
from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

from .. import nn
from ..core.module_names import living_in
from ..core.unavailable import SCRIPTS
from ..core.warning import warn
from ._arguments import call
from ._compiled_function import CompiledFunction
from ._deprecation import TO_COMPILE, USE_COMPILE, deprecated
from ._errors import Error, told_by_script
from ._export_script import CompiledModule, compiled_function, write_function
from ._graph_inliner import inlined
from ._script_constants import Constants, with_constants
from ._state import _enabled
from ._tracing import tracing
from .internal import FunctionModifiers, _qualified_name, get_torchscript_modifier

__all__ = [
    "Attribute",
    "CompilationUnit",
    "RecursiveScriptModule",
    "ScriptFunction",
    "ScriptModule",
    "ScriptWarning",
    "interface",
    "script",
    "script_method",
]

Attribute = namedtuple("Attribute", ["value", "type"])
Attribute.__doc__ = "A value of a module, and the type that scripting gives it."


class ScriptWarning(Warning):
    """Something in a script is doubtful."""


def no_script(what: str) -> NotImplementedError:
    """The error for what only a compiled script has."""
    return NotImplementedError(f"{what} {SCRIPTS}")


class ScriptFunction:
    """A function that was scripted or traced: it runs the function it was made of.

    :param example: the arguments that it was traced with, which can write it to a file.
    """

    def __init__(self, fn: Callable[..., Any], example: Any = None) -> None:
        self._torchdynamo_inline = fn
        self._writer = example
        self.__doc__ = fn.__doc__ or self.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._writer is not None:
            with tracing():
                return call(self._torchdynamo_inline, args, kwargs)
        return call(self._torchdynamo_inline, args, kwargs)

    @property
    def name(self) -> str:
        """The function's name."""
        return self.qualified_name.rpartition(".")[2]

    @property
    def qualified_name(self) -> str:
        """The function's name in TorchScript."""
        return _qualified_name(self._torchdynamo_inline)

    @property
    def code(self) -> str:
        """The function as TorchScript, as :meth:`save` writes it.

        One that was scripted is compiled for that. Raises RuntimeError, or an error of
        ``torch.jit.frontend``, for what TorchScript has not.
        """
        if self._writer is None:
            return self._compiled().code(Constants())
        text: str = self._writer.code(self._torchdynamo_inline, None)
        return re.sub(r"forward\(self(,\s*)?", f"{self.name}(", text, count=1)

    @property
    def code_with_constants(self) -> Any:
        """The function as TorchScript, and the tensors that it names as ``CONSTANTS``."""
        return with_constants(self._compiled())

    @property
    def graph(self) -> Any:
        """The graph that the function is compiled to."""
        return self._compiled().graph

    @property
    def inlined_graph(self) -> Any:
        """The graph that the function is compiled to, with those of what it calls."""
        return inlined(self._compiled())

    @property
    def schema(self) -> Any:
        """The signature that the function is compiled to."""
        return self._compiled().schema

    def _compiled(self) -> CompiledFunction:
        if self._writer is not None:
            raise no_script("the graph of a trace")
        return compiled_function(self._torchdynamo_inline)

    def graph_for(self, *args: Any, **kwargs: Any) -> Any:
        """The graph for these arguments: raises NotImplementedError."""
        raise no_script("ScriptFunction.graph_for")

    def save(self, f: Any, _extra_files: dict[str, Any] | None = None) -> None:
        """Write the function to a path or an open file, as ``torch.jit.load`` reads it.

        One that was scripted is compiled for that. Raises RuntimeError, or an error of
        ``torch.jit.frontend``, for what TorchScript has not.
        """
        if self._writer is None:
            write_function(self._torchdynamo_inline, f, _extra_files)
            return
        self._writer.write(self._torchdynamo_inline, None, f, _extra_files)

    def save_to_buffer(self, _extra_files: dict[str, Any] | None = None) -> bytes:
        """What :meth:`save` writes."""
        written = io.BytesIO()
        self.save(written, _extra_files)
        return written.getvalue()

    def __reduce__(self) -> Any:
        raise pickle.PickleError("ScriptFunction cannot be pickled")


living_in(__name__.rpartition(".")[0], ScriptFunction)


class ScriptModule(nn.Module):
    """A module that runs as a script would: base of scripted and traced modules.

    A class of its own with methods marked by ``script_method`` runs as the plain module it is.
    """

    @property
    def code(self) -> str:
        """``forward`` as TorchScript. A module that was scripted is compiled for that.

        Raises RuntimeError, or an error of ``torch.jit.frontend``, for what TorchScript has not.
        """
        forward = getattr(self.__dict__.get("_original_class"), "forward", None)
        writer = self.__dict__.get("_writer")
        if hasattr(forward, "code"):
            code: str = forward.code
        elif writer is not None:
            code = writer.code(self, self)
        else:
            code = self._compiled("code").code(Constants())
        return code

    @property
    def code_with_constants(self) -> Any:
        """``forward`` as TorchScript, and the tensors that it names as ``CONSTANTS``."""
        return with_constants(self._compiled("code_with_constants"))

    @property
    def graph(self) -> Any:
        """The graph that ``forward`` is compiled to."""
        return self._compiled("graph").graph

    @property
    def inlined_graph(self) -> Any:
        """The graph that ``forward`` is compiled to, with those of what it calls."""
        return inlined(self._compiled("inlined_graph"))

    def _has_source(self) -> bool:
        """Whether a program wrote the class of the module."""
        own = type(self).__module__.partition(".")[0] == __name__.partition(".")[0]
        return "_original_class" in self.__dict__ or not own

    def _compiled(self, wanted: str) -> CompiledFunction:
        """``forward``, compiled. Raises NotImplementedError where there is no source to compile."""
        if not self._has_source() or "_writer" in self.__dict__:
            raise no_script(f"ScriptModule.{wanted}")
        return CompiledModule(self).method("forward")

    @property
    def original_name(self) -> str:
        """The name of the class that was scripted."""
        return type(self).__name__

    def define(self, src: str) -> None:
        """Compile a method of the text *src*: raises NotImplementedError."""
        raise no_script("ScriptModule.define")

    def save(self, f: Any, **kwargs: Any) -> None:
        """Write the module to a path or an open file, for ``torch.jit.load``.

        :param _extra_files: further records, texts or bytes by name.

        One that was scripted is compiled for that. Raises RuntimeError, or an error of
        ``torch.jit.frontend``, for what TorchScript has not.
        """
        writer = self.__dict__.get("_writer")
        if writer is not None:
            writer.write(self, self, f, **kwargs)
        elif self._has_source():
            CompiledModule(self).write(f, kwargs.get("_extra_files"))
        else:
            raise no_script("torch.jit.save")

    def save_to_buffer(self, *args: Any, **kwargs: Any) -> bytes:
        """What :meth:`save` writes."""
        written = io.BytesIO()
        self.save(written, *args, **kwargs)
        return written.getvalue()

    def get_debug_state(self, *args: Any, **kwargs: Any) -> Any:
        """The compiler's state: raises NotImplementedError."""
        raise no_script("ScriptModule.get_debug_state")

    def graph_for(self, *args: Any, **kwargs: Any) -> Any:
        """The graph for these arguments: raises NotImplementedError."""
        raise no_script("ScriptModule.graph_for")


class RecursiveScriptModule(ScriptModule):
    """A module that was scripted: its modules are scripted too, its parameters are shared.

    The methods of the original class run on an instance of it that has the ``__dict__`` of this
    module, so whatever they change is changed here.
    """

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        own = self.__dict__
        for name, value in module.__dict__.items():
            own[name] = copy.copy(value) if isinstance(value, (dict, list, set)) else value
        own["_original_class"] = type(module)
        own["_modules"] = own["_modules"].__class__(
            (name, None if child is None else self._wrap(child))
            for name, child in module._modules.items()
        )

    def _wrap(self, child: nn.Module) -> nn.Module:
        return child if isinstance(child, ScriptModule) else type(self)(child)

    def _original(self) -> nn.Module:
        """The instance of the original class on which methods run."""
        original: nn.Module = object.__new__(self.__dict__["_original_class"])
        original.__dict__ = self.__dict__
        return original

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes. Raises RuntimeError for arguments that do not fit."""
        return call(self._original().forward, args, kwargs)

    @property
    def original_name(self) -> str:
        """The name of the class that was scripted."""
        name: str = self.__dict__["_original_class"].__name__
        return name

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for group in ("_parameters", "_buffers", "_modules"):
            if name in own.get(group, ()):
                return own[group][name]
        if "_original_class" in own and hasattr(own["_original_class"], name):
            return getattr(self._original(), name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, nn.Module) and not isinstance(value, ScriptModule):
            raise RuntimeError(
                "Cannot re-assign modules in a ScriptModule with non-scripted module, tried to "
                f"replace existing module '{name}': {value}"
            )
        found = getattr(self.__dict__.get("_original_class"), name, None)
        if isinstance(found, property):
            setattr(self._original(), name, value)
        else:
            super().__setattr__(name, value)

    def add_module(self, name: str, module: nn.Module | None) -> None:
        """Add a scripted module. Raises RuntimeError for one that is not scripted."""
        if module is not None and not isinstance(module, ScriptModule):
            raise RuntimeError(
                "Cannot re-assign modules in a ScriptModule with non-scripted module, tried to "
                f"replace existing module '{name}': {module}"
            )
        super().add_module(name, module)

    def extra_repr(self) -> str:
        """What stands in the brackets of the text of this module."""
        return f"original_name={self.original_name}"

    def forward_magic_method(self, method_name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method like ``__len__`` of the original class."""
        method = getattr(self.__dict__["_original_class"], method_name, None)
        if method is None:
            raise NotImplementedError
        return method(self._original(), *args, **kwargs)

    def __iter__(self) -> Iterator[Any]:
        found: Iterator[Any] = self.forward_magic_method("__iter__")
        return found

    def __getitem__(self, idx: Any) -> Any:
        return self.forward_magic_method("__getitem__", idx)

    def __len__(self) -> int:
        length: int = self.forward_magic_method("__len__")
        return length

    def __contains__(self, key: Any) -> bool:
        return bool(self.forward_magic_method("__contains__", key))

    def __bool__(self) -> bool:
        return True

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self.__dict__["_original_class"])})

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        copied = object.__new__(type(self))
        memo[id(self)] = copied
        copied.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return copied

    def __copy__(self) -> Any:
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def __reduce__(self) -> Any:
        raise pickle.PickleError("ScriptModules cannot be pickled")

    def __reduce_ex__(self, protocol: Any) -> Any:
        kept = getattr(self.__dict__["_original_class"], "__getstate__", None)
        if get_torchscript_modifier(kept) == FunctionModifiers.EXPORT:
            try:
                state = self._original().__getstate__()
            except Exception as error:
                raise Error(told_by_script(error)) from error
            return copyreg.__newobj__, (type(self),), state  # type: ignore[attr-defined]  # as pickle has it
        raise RuntimeError(
            f"Tried to serialize object {_qualified_name(self.__dict__['_original_class'])} which "
            "does not have a __getstate__ method defined!"
        )


class CompilationUnit:
    """A group of functions that were compiled together: none, for there is no compiler."""

    def __init__(self, lang: str | None = None, _frames_up: int = 0) -> None:
        if lang:
            self.define(lang)

    def define(self, src: str, rcb: Any = None, _frames_up: int = 0) -> None:
        """Compile functions of the text *src*: raises NotImplementedError."""
        raise no_script("CompilationUnit.define")

    def get_functions(self) -> list[Any]:
        """The functions: none."""
        return []

    def find_function(self, name: str) -> None:
        """The function of that name: None."""
        return None


class ScriptList(list[Any]):
    """A list that was scripted."""


class ScriptDict(dict[Any, Any]):
    """A dict that was scripted."""

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key}: {value}" for key, value in self.items()) + "}"


def script(
    obj: Any,
    optimize: None = None,
    _frames_up: int = 0,
    _rcb: Callable[[str], Any] | None = None,
    example_inputs: Any = None,
) -> Any:
    """A scripted function or module that runs *obj*; a list, dict or class as one of a script.

    Raises TypeError for an object that has no source, and RuntimeError for a class of modules.
    """
    deprecated("script", TO_COMPILE)
    if optimize is not None:
        warn(
            "`optimize` is deprecated and has no effect. "
            "Use `with torch.jit.optimized_execution()` instead",
            FutureWarning,
        )
    if not _enabled:
        return obj
    if isinstance(obj, (ScriptModule, ScriptFunction, ScriptList, ScriptDict)):
        return obj
    if isinstance(obj, nn.Module):
        obj = _prepared(obj)
        return RecursiveScriptModule(obj)
    prepare = getattr(obj, "__prepare_scriptable__", None)
    if prepare is not None and not isinstance(obj, type):
        obj = prepare()
    if isinstance(obj, dict):
        return ScriptDict(obj)
    if isinstance(obj, list):
        return ScriptList(obj)
    if isinstance(obj, type):
        if issubclass(obj, nn.Module):
            raise RuntimeError(
                f"Type '{obj}' cannot be compiled since it inherits from nn.Module, pass an "
                "instance instead"
            )
        return obj
    if hasattr(obj, "__script_if_tracing_wrapper"):
        obj = obj.__original_fn
    if not hasattr(obj, "__code__") and not hasattr(obj, "__func__"):
        kind = type(obj)
        if kind.__module__ == "builtins":
            raise TypeError(f"{kind} is a built-in class")
        raise TypeError(
            "module, class, method, function, traceback, frame, or code object was expected, got "
            f"{kind.__name__}"
        )
    if hasattr(obj, "__self__") and isinstance(obj.__self__, nn.Module):
        return obj
    return ScriptFunction(obj)


def _prepared(module: nn.Module) -> nn.Module:
    """What a module's ``__prepare_scriptable__`` gives in its place, or the module."""
    prepare = getattr(module, "__prepare_scriptable__", None)
    return module if prepare is None else prepare()


def script_method(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a method of a subclass of ``ScriptModule``; it runs as it is."""
    deprecated("script_method", TO_COMPILE)
    return fn


def interface(obj: Any) -> Any:
    """Mark a class as an interface of modules. Raises RuntimeError for what is no class."""
    deprecated("interface", USE_COMPILE)
    if not isinstance(obj, type):
        raise RuntimeError("interface must be applied to a class")
    obj.__torch_script_interface__ = True  # type: ignore[attr-defined]  # a mark
    return obj


def create_script_dict(obj: dict[Any, Any]) -> ScriptDict:
    """*obj* as a dict of a script."""
    return ScriptDict(obj)


def create_script_list(obj: list[Any], type_hint: Any = None) -> ScriptList:
    """*obj* as a list of a script."""
    return ScriptList(obj)
