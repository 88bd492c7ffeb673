"""Frames that write down what is done to them, and do it to every frame of a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .....core.module_names import spelled_out
from .._decorator import functional_datapipe
from ..datapipe import DFIterDataPipe, IterDataPipe
from .structures import DataChunkDF

__all__ = [
    "Capture",
    "CaptureA",
    "CaptureAdd",
    "CaptureCall",
    "CaptureControl",
    "CaptureDataFrame",
    "CaptureDataFrameWithDataPipeOps",
    "CaptureF",
    "CaptureGetAttr",
    "CaptureGetItem",
    "CaptureInitial",
    "CaptureLikeMock",
    "CaptureMul",
    "CaptureSetItem",
    "CaptureSub",
    "CaptureVariable",
    "CaptureVariableAssign",
    "DataFrameTracedOps",
    "DataFrameTracer",
    "disable_capture",
    "get_val",
]


def disable_capture() -> None:
    """Write nothing down any more."""
    CaptureControl.disabled = True


class CaptureControl:
    """Whether nothing is written down."""

    disabled = False


class DataFrameTracedOps(DFIterDataPipe):
    """Every frame of a pipe, with the operations done that a variable stands for."""

    def __init__(self, source_datapipe: Any, output_var: Any) -> None:
        self.source_datapipe = source_datapipe
        self.output_var = output_var

    def __iter__(self) -> Iterator[Any]:
        for item in self.source_datapipe:
            yield self.output_var.apply_ops(item)


#: Names that are the pipe's, not the frame's.
DATAPIPES_OPS = [
    "_dataframes_as_tuples",
    "groupby",
    "_dataframes_filter",
    "map",
    "to_datapipe",
    "shuffle",
    "concat",
    "batch",
    "_dataframes_per_row",
    "_dataframes_concat",
    "_dataframes_shuffle",
]

#: Names that programs look for and that are not to be written down.
UNIMPLEMENTED_ATTR = ["__deepcopy__", "__setstate__", "is_shardable", "apply_sharding"]


class Capture:
    """Something that writes down what is done to it. ``ctx`` has what was, and the variables."""

    def __init__(self, schema_df: Any = None) -> None:
        self.ctx: Any = {"operations": [], "variables": [], "schema_df": schema_df}

    def __str__(self) -> str:
        return self._ops_str()

    def _ops_str(self) -> str:
        return "\n".join(str(op) for op in self.ctx["operations"])

    def __getstate__(self) -> Any:
        self.ctx["schema_df"] = None
        for var in self.ctx["variables"]:
            var.calculated_value = None
        return dict(self.__dict__)

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(state)

    def __getattr__(self, attrname: str) -> Any:
        if attrname in ("kwarg", "kwargs"):
            raise RuntimeError("no kwargs!")
        if attrname in ("__deepcopy__", "__setstate__") or "ctx" not in self.__dict__:
            raise AttributeError
        return CaptureGetAttr(self, attrname, ctx=self.ctx)

    def __getitem__(self, key: Any) -> Any:
        return CaptureGetItem(self, key, ctx=self.ctx)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.ctx["operations"].append(CaptureSetItem(self, key, value, ctx=self.ctx))

    def _assigned(self, value: Any) -> Any:
        """A new variable for *value*."""
        var = CaptureVariable(value, self.ctx)
        self.ctx["operations"].append(
            CaptureVariableAssign(variable=var, value=value, ctx=self.ctx)
        )
        return var

    def __add__(self, add_val: Any) -> Any:
        return self._assigned(CaptureAdd(self, add_val, ctx=self.ctx))

    def __sub__(self, add_val: Any) -> Any:
        return self._assigned(CaptureSub(self, add_val, ctx=self.ctx))

    def __mul__(self, add_val: Any) -> Any:
        return self._assigned(CaptureMul(self, add_val, ctx=self.ctx))

    def _is_context_empty(self) -> bool:
        return not self.ctx["operations"] and not self.ctx["variables"]

    def apply_ops_2(self, dataframe: Any) -> None:
        """Do to *dataframe* all that was written down."""
        self.ctx["variables"][0].calculated_value = dataframe
        for op in self.ctx["operations"]:
            op.execute()

    @property
    def columns(self) -> Any:
        """The columns, as those of the frame that serves as a sample."""
        self.apply_ops_2(self.ctx["schema_df"])
        return self.execute().columns

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # A capture in the arguments is of this context, whatever was given.
        if self._is_context_empty():
            given = [*args, *kwargs.values()]
            self.ctx = next((a.ctx for a in given if isinstance(a, Capture)), self.ctx)
            for arg in given:
                if isinstance(arg, Capture):
                    arg.ctx = self.ctx
        return self._assigned(CaptureCall(self, ctx=self.ctx, args=args, kwargs=kwargs))


class CaptureF(Capture):
    """A step with named parts."""

    def __init__(self, ctx: Any = None, **kwargs: Any) -> None:
        super().__init__()
        if ctx is not None:
            self.ctx = ctx
        self.kwargs = kwargs


class CaptureA(CaptureF):
    """A value with a name."""

    def __str__(self) -> str:
        return f"{self.kwargs['name']}"

    def execute(self) -> Any:
        """The value."""
        return self.kwargs["real_attribute"]


class CaptureLikeMock:
    """Inside, the function called *name* writes down that it was called."""

    def __init__(self, name: str) -> None:
        from importlib import import_module

        module, _, attribute = name.rpartition(".")
        self.get_target: Any = lambda: import_module(module)
        self.attribute = attribute
        self.name = name

    def __enter__(self) -> None:
        target = self.get_target()
        self.save = getattr(target, self.attribute)
        setattr(target, self.attribute, CaptureA(name=self.name, real_attribute=self.save))

    def __exit__(self, *exc_info: Any) -> None:
        setattr(self.get_target(), self.attribute, self.save)


class CaptureCall(Capture):
    """A call."""

    def __init__(self, callable: Any, ctx: Any = None, **kwargs: Any) -> None:
        super().__init__()
        if ctx is not None:
            self.ctx = ctx
        self.kwargs = kwargs
        self.callable = callable

    def __str__(self) -> str:
        return "{callable}({args},{kwargs})".format(callable=self.callable, **self.kwargs)

    def execute(self) -> Any:
        """What the call gives."""
        args = [a.execute() if isinstance(a, Capture) else a for a in self.kwargs["args"]]
        named = {
            k: v.execute() if isinstance(v, Capture) else v
            for k, v in self.kwargs["kwargs"].items()
        }
        return self.callable.execute()(*args, **named)


class CaptureVariableAssign(CaptureF):
    """A variable gets its value."""

    def __str__(self) -> str:
        return f"{self.kwargs['variable']} = {self.kwargs['value']}"

    def execute(self) -> None:
        """Give it."""
        self.kwargs["variable"].calculated_value = self.kwargs["value"].execute()


class CaptureVariable(Capture):
    """A variable, numbered."""

    names_idx = 0

    def __init__(self, value: Any, ctx: Any) -> None:
        if CaptureControl.disabled:
            raise RuntimeError("Attempting to create capture variable with capture off")
        super().__init__()
        self.ctx = ctx
        self.value = value
        self.name = f"var_{CaptureVariable.names_idx}"
        CaptureVariable.names_idx += 1
        self.ctx["variables"].append(self)

    def __str__(self) -> str:
        return self.name

    def execute(self) -> Any:
        """Its value."""
        return self.calculated_value

    def apply_ops(self, dataframe: Any) -> Any:
        """Its value for *dataframe*."""
        self.ctx["variables"][0].calculated_value = dataframe
        for op in self.ctx["operations"]:
            op.execute()
        return self.calculated_value


class CaptureGetItem(Capture):
    """An item."""

    def __init__(self, left: Any, key: Any, ctx: Any) -> None:
        super().__init__()
        self.ctx = ctx
        self.left = left
        self.key = key

    def __str__(self) -> str:
        return f"{self.left}[{get_val(self.key)}]"

    def execute(self) -> Any:
        """The item."""
        return self.left.execute()[self.key]


class CaptureSetItem(Capture):
    """An item gets its value."""

    def __init__(self, left: Any, key: Any, value: Any, ctx: Any) -> None:
        super().__init__()
        self.ctx = ctx
        self.left = left
        self.key = key
        self.value = value

    def __str__(self) -> str:
        return f"{self.left}[{get_val(self.key)}] = {self.value}"

    def execute(self) -> None:
        """Give it."""
        self.left.execute()[self.key] = self.value.execute()


@spelled_out()
class _CaptureBinary(Capture):
    sign: str

    def __init__(self, left: Any, right: Any, ctx: Any) -> None:
        super().__init__()
        self.ctx = ctx
        self.left = left
        self.right = right

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


class CaptureAdd(_CaptureBinary):
    """A sum."""

    sign = "+"

    def execute(self) -> Any:
        """It."""
        return _executed(self.left) + _executed(self.right)


class CaptureMul(_CaptureBinary):
    """A product."""

    sign = "*"

    def execute(self) -> Any:
        """It."""
        return _executed(self.left) * _executed(self.right)


class CaptureSub(_CaptureBinary):
    """A difference."""

    sign = "-"

    def execute(self) -> Any:
        """It."""
        return _executed(self.left) - _executed(self.right)


class CaptureGetAttr(Capture):
    """An attribute."""

    def __init__(self, src: Any, name: str, ctx: Any) -> None:
        super().__init__()
        self.ctx = ctx
        self.src = src
        self.name = name

    def __str__(self) -> str:
        return f"{self.src}.{self.name}"

    def execute(self) -> Any:
        """It."""
        return getattr(_executed(self.src), self.name)


def _executed(value: Any) -> Any:
    return value.execute() if isinstance(value, Capture) else value


def get_val(capture: Any) -> Any:
    """*capture* as it is written down."""
    if isinstance(capture, Capture):
        return capture.execute()
    return f'"{capture}"' if isinstance(capture, str) else capture


class CaptureInitial(CaptureVariable):
    """The variable that stands for the frame itself."""

    def __init__(self, schema_df: Any = None) -> None:
        new_ctx: Any = {"operations": [], "variables": [], "schema_df": schema_df}
        super().__init__(None, new_ctx)
        self.name = f"input_{self.name}"


class CaptureDataFrame(CaptureInitial):
    """The frame."""


class CaptureDataFrameWithDataPipeOps(CaptureDataFrame):
    """The frame, which is also a pipe."""

    def as_datapipe(self) -> DataFrameTracedOps:
        """The pipe of frames with all done that was written down."""
        return DataFrameTracedOps(self.ctx["variables"][0].source_datapipe, self)

    def raw_iterator(self) -> Any:
        """Its frames."""
        return self.as_datapipe().__iter__()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._dataframes_as_tuples())

    def batch(
        self, batch_size: int = 10, drop_last: bool = False, wrapper_class: Any = DataChunkDF
    ) -> Any:
        """Batches of rows."""
        dp = self._dataframes_per_row()._dataframes_concat(batch_size)
        dp = dp.as_datapipe().batch(1, drop_last=drop_last, wrapper_class=wrapper_class)
        dp._dp_contains_dataframe = True
        return dp

    def groupby(
        self,
        group_key_fn: Any,
        *,
        buffer_size: int = 10000,
        group_size: int | None = None,
        guaranteed_group_size: int | None = None,
        drop_remaining: bool = False,
    ) -> Any:
        """Groups of rows."""
        dp = self._dataframes_per_row()
        return dp.as_datapipe().groupby(
            group_key_fn,
            buffer_size=buffer_size,
            group_size=group_size,
            guaranteed_group_size=guaranteed_group_size,
            drop_remaining=drop_remaining,
        )

    def shuffle(self, *args: Any, **kwargs: Any) -> Any:
        """Rows at random."""
        return self._dataframes_shuffle(*args, **kwargs)

    def filter(self, *args: Any, **kwargs: Any) -> Any:
        """Some of the rows."""
        return self._dataframes_filter(*args, **kwargs)

    def collate(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: only batches are collated."""
        raise RuntimeError("Can't collate unbatched DataFrames stream")

    def __getattr__(self, attrname: str) -> Any:
        if attrname in UNIMPLEMENTED_ATTR:
            raise AttributeError("Attempting to get ", attrname)
        if attrname in DATAPIPES_OPS:
            return getattr(self.as_datapipe(), attrname)
        return super().__getattr__(attrname)


@functional_datapipe("trace_as_dataframe")
class DataFrameTracer(CaptureDataFrameWithDataPipeOps, IterDataPipe):  # type: ignore[type-arg]
    """A pipe of frames as a frame that writes down what is done to it."""

    source_datapipe: Any | None = None

    def set_shuffle_settings(self, *args: Any, **kwargs: Any) -> None:
        """Nothing: frames are not shuffled here."""

    def is_shardable(self) -> bool:
        """No."""
        return False

    def __init__(self, source_datapipe: Any, schema_df: Any = None) -> None:
        self.source_datapipe = source_datapipe
        if schema_df is None:
            schema_df = next(iter(self.source_datapipe))
        super().__init__(schema_df=schema_df)
