"""``torch.utils._config_module``: modules whose names are options.

An option has a default, may follow the environment or another option, and is set for the thread
that sets it. What it is set to can be saved, restored, and patched for a while.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import importlib
import inspect
import io
import os
import pickle
import tokenize
import unittest
import warnings
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any, Optional

from ..core.deprecation import deprecated
from ..core.warning import warn_once

__all__ = ["Config", "ConfigModule", "install_config_module"]

#: Types of what an option may be set to where a module just assigns it.
CONFIG_TYPES = (int, float, bool, type(None), str, list, set, tuple, dict)
_IMMUTABLE = (int, float, bool, type(None), str, tuple)
COMPILE_IGNORED_MARKER = "@compile_ignored"
_UNSET_SENTINEL: Any = object()
#: What the environment may say of.
_ENVIRONMENT_TYPES = (bool, str, Optional[bool], Optional[str])  # noqa: UP045  (objects)


@dataclass(kw_only=True)
class _Config:
    """How an option is found: see :func:`Config`."""

    default: Any
    justknob: str | None = None
    env_name_default: list[str] | None = None
    env_name_force: list[str] | None = None
    value_type: Any = None
    alias: str | None = None
    deprecated: bool = False
    deprecation_message: str | None = None

    def __post_init__(self) -> None:
        self.env_name_default = self.string_or_list_of_string_to_list(self.env_name_default)
        self.env_name_force = self.string_or_list_of_string_to_list(self.env_name_force)
        others = (self.justknob, self.env_name_default, self.env_name_force)
        if self.alias is not None and (
            self.default is not _UNSET_SENTINEL or any(each is not None for each in others)
        ):
            raise AssertionError(
                "if alias is set, none of {default, justknob,                         "
                "env_name_default and env_name_force} can be set"
            )

    @staticmethod
    def string_or_list_of_string_to_list(val: Any) -> list[str] | None:
        """One name, or several, as a list."""
        if val is None or isinstance(val, list):
            return val
        if not isinstance(val, str):
            raise AssertionError(f"val is not a list, got {type(val)}")
        return [val]


def Config(
    default: Any = _UNSET_SENTINEL,
    justknob: str | None = None,
    env_name_default: str | list[str] | None = None,
    env_name_force: str | list[str] | None = None,
    value_type: Any = None,
    alias: str | None = None,
    deprecated: bool = False,
    deprecation_message: str | None = None,
) -> Any:
    """An option that is more than its default, in a module for :func:`install_config_module`.

    :param justknob: a switch of torch's own infrastructure: not asked.
    :param env_name_default: variables of the environment that go before the default.
    :param env_name_force: variables that go before all, also before what the program sets.
    :param alias: the option, with its module, that is meant.
    :param deprecated: warn of it once, with *deprecation_message*.

    Variables are ``1``, ``0`` or a string.
    """
    return _Config(
        default=default,
        justknob=justknob,
        env_name_default=env_name_default,  # type: ignore[arg-type]  # made a list
        env_name_force=env_name_force,  # type: ignore[arg-type]
        value_type=value_type,
        alias=alias,
        deprecated=deprecated,
        deprecation_message=deprecation_message,
    )


def _read_env_variable(name: str) -> bool | str | None:
    value = os.environ.get(name)
    return {"1": True, "0": False}.get(value, value) if value is not None else None


def get_tristate_env(name: str, default: Any = None) -> Any:
    """Whether a variable of the environment is ``1`` or ``0``; *default* if it is neither."""
    value = _read_env_variable(name)
    return value if isinstance(value, bool) else default


class _ConfigEntry:
    """An option, and what it is set to."""

    def __init__(self, config: _Config, name: str) -> None:
        self.default = config.default
        self.value_type = type(self.default) if config.value_type is None else config.value_type
        self.justknob = config.justknob
        self.alias = config.alias
        self.deprecated = config.deprecated
        self.deprecation_message = config.deprecation_message
        self._deprecation_warned = False
        #: What the program set it to, in each thread.
        self.user_override: ContextVar[Any] = ContextVar(name, default=_UNSET_SENTINEL)
        self.env_value_default = self._from(config.env_name_default)
        self.env_value_force = self._from(config.env_name_force)
        #: ``unittest.mock`` deletes what it puts back, and looks whether it is gone.
        self.hide = False
        if self.justknob is not None and not isinstance(self.default, bool | None):
            raise AssertionError(
                f"justknobs only support booleans, {self.default} is not a boolean"
            )
        named = config.env_name_default is not None or config.env_name_force is not None
        if named and self.value_type not in _ENVIRONMENT_TYPES:
            raise AssertionError(
                "envvar configs only support (optional) booleans or strings, "
                f"{self.value_type} is neither"
            )

    @staticmethod
    def _from(names: list[str] | None) -> Any:
        """What the first variable says that is set."""
        told = (_read_env_variable(name) for name in names or ())
        return next((value for value in told if value is not None), _UNSET_SENTINEL)

    def value(self) -> Any:
        """What holds now: what the environment forces, the program sets, or is said before."""
        order = (self.env_value_force, self.user_override.get(), self.env_value_default)
        return next((v for v in order if v is not _UNSET_SENTINEL), self.default)

    def is_default(self) -> bool:
        """Whether neither the program nor the environment says something else."""
        own = self.user_override.get()
        unset = own is _UNSET_SENTINEL
        if not isinstance(self.default, _IMMUTABLE):
            unset = unset or own == self.default
        return unset and all(
            told is _UNSET_SENTINEL or told == self.default
            for told in (self.env_value_default, self.env_value_force)
        )


class ConfigModule(ModuleType):
    """The class of a module of options; a name that is none raises AttributeError."""

    _config: dict[str, _ConfigEntry]
    _compile_ignored_keys: set[str]

    def __init__(self) -> None:
        raise NotImplementedError(
            f"use {__name__.replace('mindtorch', 'torch', 1)}"
            ".install_config_module(sys.modules[__name__])"
        )

    @property
    def _shown(self) -> str:
        return self.__name__.replace("mindtorch", "torch", 1)

    def _entry(self, name: str) -> _ConfigEntry:
        entry = self.__dict__.get("_config", {}).get(name)
        if entry is None:
            raise AttributeError(f"{self._shown}.{name} does not exist")
        return entry

    def _warn_if_deprecated(self, name: str, config: _ConfigEntry) -> None:
        if config.deprecated and not config._deprecation_warned:
            why = f" and {config.deprecation_message}" if config.deprecation_message else ""
            warnings.warn(
                f"{self._shown}.{name} is deprecated{why}. It will be removed in a future version "
                "of PyTorch.",
                FutureWarning,
                stacklevel=3,
            )
            config._deprecation_warned = True

    # -- one option --------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("__") or isinstance(value, ModuleType):
            super().__setattr__(name, value)
            return
        config = self._entry(name)
        self._warn_if_deprecated(name, config)
        if config.alias is not None:
            setattr(*_aliased(config.alias), value)
            return
        config.user_override.set(value)
        config.hide = False

    def __getattr__(self, name: str) -> Any:
        config = self._entry(name)
        if config.hide:
            raise AttributeError(f"{self._shown}.{name} does not exist")
        self._warn_if_deprecated(name, config)
        if config.alias is not None:
            return getattr(*_aliased(config.alias))
        value = config.value()
        if value is config.default and not isinstance(value, _IMMUTABLE):
            # A program may change what it gets; the default stays what it is.
            value = copy.deepcopy(value)
            config.user_override.set(value)
        return value

    def __delattr__(self, name: str) -> None:
        config = self._entry(name)
        config.user_override.set(_UNSET_SENTINEL)
        config.hide = True

    def __dir__(self) -> list[str]:
        return sorted({name.partition(".")[0] for name in self._config})

    def _is_default(self, name: str) -> bool:
        return self._config[name].is_default()

    def get_type(self, config_name: str) -> Any:
        """The type of an option."""
        return self._config[config_name].value_type

    # -- all options -------------------------------------------------------------------------------

    def _get_dict(
        self,
        ignored_keys: list[str] | None = None,
        ignored_prefixes: list[str] | None = None,
        skip_default: bool = False,
        readonly_values: bool = False,
    ) -> dict[str, Any]:
        """A copy of all options but aliases, and those that are ignored or still the default."""
        prefixes = tuple(ignored_prefixes or ())
        return {
            name: copy.deepcopy(entry.value())
            for name, entry in self._config.items()
            if entry.alias is None
            and name not in (ignored_keys or ())
            and not name.startswith(prefixes)
            and not (skip_default and entry.is_default())
        }

    def _listed(self, name: str) -> list[str]:
        """A list of names that the module has beside its options, or an empty one."""
        return getattr(self, name) if name in self._config else []

    def get_config_copy(self) -> dict[str, Any]:
        """All options."""
        return self._get_dict()

    def get_serializable_config_copy(self) -> dict[str, Any]:
        """All options that are saved."""
        return self._get_dict(ignored_keys=self._listed("_save_config_ignore"))

    def save_config(self) -> bytes:
        """All options, as bytes for :meth:`load_config`."""
        return pickle.dumps(self.get_serializable_config_copy(), protocol=2)

    def save_config_portable(
        self, *, ignore_private_configs: bool = True, readonly_values: bool = False
    ) -> dict[str, Any]:
        """All options that say what a cache may hold."""
        prefixes = ["_"] if ignore_private_configs else []
        return self._get_dict(
            ignored_prefixes=prefixes + self._listed("_cache_config_ignore_prefix")
        )

    def load_config(self, maybe_pickled_config: bytes | dict[str, Any]) -> None:
        """Set the options that :meth:`save_config` told. Warns of one that there is not."""
        given = maybe_pickled_config
        for name, value in (given if isinstance(given, dict) else pickle.loads(given)).items():
            if name in self._config:
                setattr(self, name, value)
            else:
                warn_once(f"key {name} with value {value} is not understood by this config")

    def get_hash(self) -> bytes:
        """A hash of all options that a compiler looks at."""
        looked_at = self._get_dict(ignored_keys=list(self._compile_ignored_keys))
        text = repr(sorted(looked_at.items()))
        return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).digest()

    def codegen_config(self) -> str:
        """Statements that set what is not the default."""
        imports: set[str] = set()

        def named(function: Any) -> str:
            home = function.__module__
            if home == "builtins":
                return str(function.__name__)
            imports.add(home)
            return f"{home}.{function.__name__}"

        def is_named(value: Any) -> bool:
            return callable(value) and hasattr(value, "__module__") and hasattr(value, "__name__")

        def written(value: Any) -> str:
            if is_named(value):
                return named(value)
            if isinstance(value, (list, set)) and all(map(is_named, value)):
                names = [named(each) for each in value]
                return str(names) if isinstance(value, list) else f"{{ {', '.join(names)} }}"
            return repr(value)

        changed = self._get_dict(self._listed("_save_config_ignore"), skip_default=True)
        lines = [f"{self._shown}.{name} = {written(value)}" for name, value in changed.items()]
        return "\n".join([*(f"import {home}" for home in imports), *lines])

    @deprecated(
        "`config.to_dict()` has been deprecated. It no longer changes the underlying config. use "
        "`config.get_config_copy()` instead if you just want a copy of the config, or "
        "config.load_config if you need mutable access",
        category=FutureWarning,
    )
    def to_dict(self) -> dict[str, Any]:
        """All options."""
        return self.get_config_copy()

    @deprecated(
        "`config.shallow_copy_dict()` has been deprecated. It no longer changes the underlying "
        "config. use `config.get_config_copy()` instead if you just want a copy of the config, or "
        "config.load_config if you need mutable access",
        category=FutureWarning,
    )
    def shallow_copy_dict(self) -> dict[str, Any]:
        """All options."""
        return self.get_config_copy()

    # -- for a while -------------------------------------------------------------------------------

    def patch(self, arg1: Any = None, arg2: Any = None, **kwargs: Any) -> ContextDecorator:
        """Set options within a block, a function or a test: ``patch(name=value)``.

        Also ``patch("name", value)`` and ``patch({"name": value})``.
        """
        if arg1 is None:
            if arg2 is not None:
                raise AssertionError(
                    "second positional argument is only valid when first argument is a key string"
                )
            return _Patch(self, kwargs)
        if arg2 is not None:
            if not isinstance(arg1, str):
                raise AssertionError(
                    "first argument must be a string when passing 2 positional args to patch"
                )
            arg1 = {arg1: arg2}
        elif not isinstance(arg1, dict):
            raise AssertionError(
                "first argument must be a dict when passing a single positional arg to patch"
            )
        if kwargs:
            raise AssertionError("cannot pass both positional and keyword arguments to patch")
        return _Patch(self, arg1)

    def _make_closure_patcher(self, **changes: Any) -> Callable[[], Callable[[], None]]:
        """A function that sets options and gives one that takes it back; it warns of nothing."""

        def put(values: dict[str, Any]) -> None:
            for name, value in values.items():
                self._config[name].user_override.set(value)

        def change() -> Callable[[], None]:
            before = {name: self._config[name].user_override.get() for name in changes}
            put(changes)
            return lambda: put(before)

        return change


def _aliased(alias: str) -> tuple[ModuleType, str]:
    """The module and the name of the option that an alias means."""
    module, _, name = alias.rpartition(".")
    try:
        return importlib.import_module(module), name
    except ImportError as error:
        raise AttributeError(f"config alias {alias} does not exist") from error


class ContextDecorator(contextlib.ContextDecorator):
    """A block that may be put around a function, and around all of a test case."""

    def __enter__(self) -> None:
        raise NotImplementedError("NYI")

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        raise NotImplementedError("NYI")

    def __call__(self, func: Any) -> Any:
        """*func* within the block."""
        if not (isinstance(func, type) and issubclass(func, unittest.TestCase)):
            return super().__call__(func)
        block = self

        class _TestCase(func):  # type: ignore[misc]  # a class that is given
            @classmethod
            def setUpClass(cls) -> None:
                block.__enter__()
                try:
                    super().setUpClass()
                except Exception:
                    block.__exit__(None, None, None)
                    raise

            @classmethod
            def tearDownClass(cls) -> None:
                try:
                    super().tearDownClass()
                finally:
                    block.__exit__(None, None, None)

        _TestCase.__name__, _TestCase.__qualname__ = func.__name__, func.__qualname__
        _TestCase.__module__ = func.__module__
        return _TestCase


class _Patch(ContextDecorator):
    """Options that hold for a while."""

    def __init__(self, config: ConfigModule, changes: dict[str, Any]) -> None:
        self.config = config
        self.changes = changes
        #: What held before, for each time that it was entered.
        self._prior: ContextVar[tuple[dict[str, Any], ...]] = ContextVar("_prior", default=())

    def _set(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            setattr(self.config, name, value)

    def __enter__(self) -> None:
        before = self._prior.get()
        self._prior.set((*before, {name: getattr(self.config, name) for name in self.changes}))
        try:
            self._set(self.changes)
        except Exception:
            self._prior.set(before)
            raise

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        *before, last = self._prior.get()
        self._prior.set(tuple(before))
        self._set(last)


class SubConfigProxy:
    """Options whose names begin alike: ``config.triton.cudagraphs``."""

    def __init__(self, config: ConfigModule, prefix: str) -> None:
        object.__setattr__(self, "_config", config)
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._config, self._prefix + name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._config, self._prefix + name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._config, self._prefix + name)


# -- making modules --------------------------------------------------------------------------------


def install_config_module(module: ModuleType) -> None:
    """Make options of what a module assigns, and of what classes in it assign.

    Raises AssertionError for what no option can be.
    """
    found: dict[str, _ConfigEntry] = {}
    ignored = get_assignments_with_compile_ignored_comments(module)

    def visit(source: Any, dest: Any, prefix: str) -> None:
        types = inspect.get_annotations(source)
        for key, value in list(vars(source).items()):
            if key.startswith("__") or _is_no_option(value):
                continue
            name, own_type = prefix + key, types.get(key)
            if isinstance(value, CONFIG_TYPES):
                value = _Config(default=value, value_type=own_type)
            if isinstance(value, _Config):
                value.value_type = own_type if value.value_type is None else value.value_type
                found[name] = _ConfigEntry(value, name)
                if dest is module:
                    delattr(module, key)
            elif isinstance(value, type):
                if value.__module__ != module.__name__:
                    raise AssertionError(
                        f"subconfig class {value} must be defined in module {module.__name__}"
                    )
                proxy = vars(dest)[key] = SubConfigProxy(module, f"{name}.")  # type: ignore[arg-type]
                visit(value, proxy, f"{name}.")
            else:
                raise AssertionError(f"Unhandled config {key}={value} ({type(value)})")

    visit(module, module, "")
    options_of(module, found, ignored)


def options_of(
    module: ModuleType, options: dict[str, _ConfigEntry], ignored: set[str] | None = None
) -> None:
    """Let *module* have these options; *ignored* are those that no compiler looks at."""
    vars(module).update(_config=options, _compile_ignored_keys=ignored or set())
    module.__class__ = ConfigModule


def _is_no_option(value: Any) -> bool:
    """Whether it is something that a module imports or defines beside its options."""
    home = getattr(value, "__module__", None)
    return (
        isinstance(value, (ModuleType, FunctionType))
        or isinstance(home, str)
        and (home == "typing" or home.startswith("collections.abc"))
        or isinstance(value, type)
        and issubclass(value, _Config)
    )


def get_assignments_with_compile_ignored_comments(module: ModuleType) -> set[str]:
    """The names that a module assigns in the line after a comment with ``@compile_ignored``."""
    source = inspect.getsource(module).encode("utf-8")
    found: set[str] = set()
    marked = -1
    name = ""
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.COMMENT:
            name = ""
            if COMPILE_IGNORED_MARKER in token.string:
                _check_consumed(marked)
                marked = token.start[0]
        elif token.type == tokenize.NAME:
            name = name or token.string  # of ``name: type = …`` the first
        elif token.type == tokenize.OP and token.string == "=":
            if marked == token.start[0] - 1:
                found.add(name)
                marked = -1
            name = ""
    _check_consumed(marked)
    return found


def _check_consumed(line: int) -> None:
    if line != -1:
        raise AssertionError(f"unconsumed {COMPILE_IGNORED_MARKER}")


def inherit_fields_from(parent_cls: type) -> Callable[[type], type]:
    """A decorator: a class gets the public names of another that it has not."""

    def wrapper(child_cls: type) -> type:
        for name, value in vars(parent_cls).items():
            if not name.startswith("_") and name not in vars(child_cls):
                setattr(child_cls, name, value)
        return child_cls

    return wrapper
