"""A module whose ``forward`` is written from a graph."""

from __future__ import annotations

import contextlib
import copy
import itertools
import linecache
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .. import nn
from ..aten import torch
from ..core.module_names import adopt
from ..core.warning import warn
from ..nn import Module
from ..serialization import save
from . import _attributes, _generated_code, _readable

# Names that torch has here, though the parts of this module do without.
from ._attributes import (  # noqa: F401  # see above
    _assign_attr,
    _copy_attr,
    _del_attr,
    _get_attr,
    _get_attr_via_attr_list,
    _has_attr,
)
from ._compatibility import compatibility
from ._generated_code import (  # noqa: F401  # see above
    _EvalCacheLoader,
    _exec_with_source,
    _format_import_block,
    _format_import_statement,
    _forward_from_src,
    _loader,
    _method_from_src,
)
from ._readable import _indented, _print_readable
from ._symbolic_trace import Tracer
from .codegen import PythonCode, _BoxedCodeGen, _PyTreeCodeGen
from .graph import Graph, module_of
from .namespace import _custom_builtins

__all__ = ["GraphModule", "reduce_graph_module", "reduce_package_graph_module"]

_USER_PRESERVED_ATTRIBUTES_KEY = "_user_preserved_attributes"
FX_GRAPH_MODULE_FILE_PREFIX = "fx_generated_"


@compatibility(is_backward_compatible=True)
def reduce_graph_module(body: dict[Any, Any], import_block: str) -> Any:
    """A module from what was pickled of it."""
    source = body.get("_code") or body["code"]
    forward = _forward_from_src(_ours(import_block) + source, {})
    return _deserialize_graph_module(forward, body)


def _ours(imports: str) -> str:
    """Imports that find this framework, also where ``torch`` is another."""
    if sys.modules.get("torch") is torch:
        return imports
    lines = []
    for line in imports.split("\n"):
        if line == "import torch":
            line = "import mindtorch as torch"
        elif line.startswith(("import torch.", "from torch ", "from torch.")):
            line = line.replace("torch", "mindtorch", 1)
        lines.append(line)
    return "\n".join(lines)


@compatibility(is_backward_compatible=True)
def reduce_package_graph_module(
    importer: Any, body: dict[Any, Any], generated_module_name: str
) -> Any:
    """A module from what a package has of it."""
    forward = importer.import_module(generated_module_name).forward
    return _deserialize_graph_module(forward, body)


class _CodeOnlyModule(Module):
    """A module of which there is only code: what is traced again."""

    def __init__(self, body: dict[Any, Any]) -> None:
        super().__init__()
        self.__dict__ = body


def _deserialize_graph_module(
    forward: Any, body: dict[Any, Any], graph_module_cls: Any = None
) -> Any:
    """The graph is made by tracing the code."""
    _CodeOnlyModule.forward = forward
    tracer_cls = body.get("_tracer_cls") or Tracer
    name = body.pop("_graphmodule_cls_name", "GraphModule")
    cls = GraphModule if graph_module_cls is None else graph_module_cls

    class KeepModules(tracer_cls):  # type: ignore[misc, valid-type]  # the class of the trace
        """Every module is a leaf."""

        def is_leaf_module(self, _: Any, __: str) -> bool:
            return True

    com = _CodeOnlyModule(body)
    extras = body.get("_tracer_extras") or {}
    graph = KeepModules().trace(com, **extras)
    graph._tracer_cls = tracer_cls
    made = cls(com, graph, class_name=name)
    lacking = {k: v for k, v in body.items() if not hasattr(made, k)}
    for k, v in lacking.items():
        setattr(made, k, v)
    return made


# Attributes by path -------------------------------------------------------------------------------


class _WrappedCall:
    """Calls a module, and says which line of its generated code an error came from."""

    def __init__(self, cls: Any, cls_call: Any) -> None:
        self.cls = cls
        self.cls_call = cls_call

    @staticmethod
    def _generate_error_message(frame_summary: traceback.FrameSummary) -> str:
        lineno = frame_summary.lineno or 0
        lines = linecache.getlines(frame_summary.filename)
        before = "".join(lines[max(0, lineno - 2) : lineno])
        after = "".join(lines[lineno : lineno + 2])
        said = (
            f"Call using an FX-traced Module, line {lineno} of the traced Module's generated "
            "forward function:"
        )
        marker = "~" * len(frame_summary.line or "") + "~~~ <--- HERE"
        return "\n".join([said, before, marker, after])

    def __call__(self, obj: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            if self.cls_call is not None:
                return self.cls_call(obj, *args, **kwargs)
            parent: Any = super(self.cls, obj)
            return parent.__call__(*args, **kwargs)
        except Exception as e:
            frames = traceback.extract_tb(e.__traceback__)
            if frames and _is_generated(frames[-1]):
                print(traceback.format_exc(), file=sys.stderr)
                print(self._generate_error_message(frames[-1]), file=sys.stderr)
                raise e.with_traceback(None)  # noqa: B904  # the message says where
            raise


#: Calls of what is Python in torch.
_OF_PYTHON = ("self.", "torch.ops.", "torch.nn.functional.")


def _is_generated(frame: traceback.FrameSummary) -> bool:
    """Whether an error comes out of a line of generated code.

    It does not where what was called is Python in torch and has lines of its own.
    """
    called = (frame.line or "").partition(" = ")[2]
    return "eval_with_key" in frame.filename and not called.startswith(_OF_PYTHON)


@compatibility(is_backward_compatible=True)
class GraphModule(Module):
    """Runs a graph: ``forward`` is generated and can be read in ``code``.

    Assign ``graph``, or call :meth:`recompile` after changing it.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        # A class of its own for every instance, because forward is a method.
        for t in cls.__mro__:
            if "GraphModuleImpl" not in t.__qualname__:
                cls = t
                break

        class GraphModuleImpl(cls):  # type: ignore[misc, valid-type]  # made at run time
            pass

        return super().__new__(GraphModuleImpl)

    def __init__(self, root: Any, graph: Graph, class_name: str = "GraphModule") -> None:
        super().__init__()
        self.__class__.__name__ = class_name
        wanted = [node for node in graph.nodes if node.op in ("get_attr", "call_module")]
        if isinstance(root, Module):
            if hasattr(root, "training"):
                self.training = root.training
            if type(root) is _CodeOnlyModule:  # of a pickle or a copy: nothing is dropped
                named = (root.named_children(), root.named_buffers(), root.named_parameters())
                for name, _ in itertools.chain(*named):
                    _copy_attr(root, self, name)
            for node in wanted:
                _copy_attr(root, self, node.target)
        elif isinstance(root, dict):
            for node in wanted:
                if node.target not in root:
                    raise RuntimeError(
                        f"Node {node} referenced target {node.target} but that target was not "
                        "provided in ``root``!"
                    )
            # Outer modules first: what is put into them stays.
            targets = dict.fromkeys(node.target for node in wanted)
            for target in sorted(targets, key=lambda t: t.count(".")):
                _assign_attr(root[target], self, target)
        else:
            raise RuntimeError(f"Unsupported type {root} passed for root!")
        self.graph = graph
        self._tracer_cls = None
        if graph._tracer_cls and "<locals>" not in graph._tracer_cls.__qualname__:
            self._tracer_cls = graph._tracer_cls
        self._tracer_extras = graph._tracer_extras or {}
        self.meta: dict[str, Any] = {}
        self._replace_hooks: list[Any] = []
        self._create_node_hooks: list[Any] = []
        self._erase_node_hooks: list[Any] = []
        self._deepcopy_hooks: list[Any] = []
        self.shape_env: Any = None

    __jit_unused_properties__ = ["graph", "_boxed_call"]

    @property
    def _boxed_call(self) -> bool:
        return isinstance(self._graph._codegen, _BoxedCodeGen)

    @property
    def graph(self) -> Graph:
        """The graph that ``forward`` is written from."""
        return self._graph

    @graph.setter
    def graph(self, g: Graph) -> None:
        assert isinstance(g, Graph), f"Expected a Graph instance, but got {type(g)}"
        self._graph = g
        g.owning_module = self
        self.recompile()

    @compatibility(is_backward_compatible=False)
    def to_folder(self, folder: str | os.PathLike[str], module_name: str = "FxModule") -> None:
        """Write the module as a Python package, with its parameters, into *folder*."""
        folder = Path(folder)
        folder.mkdir(exist_ok=True)
        save(self.state_dict(), folder / "state_dict.pt")
        tab = " " * 4
        imports = "\n".join(b.import_str for b in _custom_builtins.values())
        text = f"\nimport torch\n{imports}\n\nfrom torch.nn import *\n"
        text += (
            f"class {module_name}(torch.nn.Module):\n{tab}def __init__(self):\n"
            f"{tab * 2}super().__init__()\n"
        )
        strange = []
        for name, module in self.named_children():
            written, note = self._written_as_(module), ""
            if written is None:
                strange.append(name)
                file = folder / f"{name}.pt"
                save(module, file)
                note = " # " + repr(module).replace("\r", " ").replace("\n", " ")
                written = f"torch.load(r'{file}', weights_only=False)"
            text += f"{tab * 2}setattr(self, '{name}', {written}){note}\n"
        for name, buffer in self._buffers.items():
            if buffer is not None:
                made = f"torch.empty({list(buffer.shape)}, dtype={buffer.dtype})"
                text += f"{tab * 2}self.register_buffer('{name}', {made})\n"
        for name, parameter in self._parameters.items():
            if parameter is not None:
                made = f"torch.empty({list(parameter.shape)}, dtype={parameter.dtype})"
                text += f"{tab * 2}setattr(self, '{name}', torch.nn.Parameter({made}))\n"
        text += f"{tab * 2}self.load_state_dict(torch.load(r'{folder}/state_dict.pt'))\n"
        text += f"{_indented(self.code, 4)}\n"
        (folder / "module.py").write_text(text)
        (folder / "__init__.py").write_text("from .module import *")
        if strange:
            warn(
                "Was not able to save the following children modules as reprs -saved as pickled "
                f"files instead: {strange}",
            )

    @staticmethod
    def _written_as_(module: Any) -> str | None:
        plain = (
            nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d,
            nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d,
        )  # fmt: skip
        return repr(module) if type(module) in plain else None

    @compatibility(is_backward_compatible=True)
    def add_submodule(self, target: str, m: Any) -> bool:
        """Put *m* under the name *target*, modules between made as needed; False if one is none."""
        *path, field = target.split(".")
        mod: Any = self
        for part in path:
            if not hasattr(mod, part):
                setattr(mod, part, Module())
            mod = getattr(mod, part)
            if not isinstance(mod, Module):
                return False
        mod.add_module(field, m)
        return True

    @compatibility(is_backward_compatible=True)
    def delete_submodule(self, target: str) -> bool:
        """Take the submodule *target* away; False if there is none."""
        *path, field = target.split(".")
        mod: Any = self
        for part in path:
            mod = getattr(mod, part, None)
        if not isinstance(mod, Module) or not isinstance(getattr(mod, field, None), Module):
            return False
        delattr(mod, field)
        return True

    @compatibility(is_backward_compatible=True)
    def delete_all_unused_submodules(self) -> None:
        """Take away the submodules that no node uses."""
        used: set[str] = set()
        for node in self.graph.nodes:
            if node.op not in ("call_module", "get_attr"):
                continue
            parts = node.target.split(".")
            used |= {".".join(parts[: i + 1]) for i in range(len(parts))}
            if node.op == "call_module":
                try:
                    inner = self.get_submodule(node.target)
                except AttributeError:  # taken away already
                    continue
                used |= {f"{node.target}.{name}" for name, _ in inner.named_modules() if name}
        for name in [n for n, _ in self.named_modules() if n and n not in used]:
            self.delete_submodule(name)

    @property
    def code(self) -> str:
        """The source of ``forward``."""
        if not hasattr(self, "_code"):
            raise RuntimeError("Code has not been generated! Please report a bug to PyTorch")
        return self._code

    @compatibility(is_backward_compatible=True)
    def recompile(self) -> Any:
        """Write ``forward`` anew; returns the code."""
        codegen = self._graph._codegen
        if isinstance(codegen, _PyTreeCodeGen):
            self._in_spec = codegen.pytree_info.in_spec
            self._out_spec = codegen.pytree_info.out_spec
        made = self._graph.python_code(root_module="self")
        self._code, self._lineno_map = made.src, made._lineno_map
        self._prologue_start = made._prologue_start
        cls: Any = type(self)
        method = _method_from_src(
            codegen._func_name, made.src, made.globals, self._graph._co_fields
        )
        setattr(cls, codegen._func_name, method)
        cls_call = cls.__call__ if "__call__" in vars(cls) else None
        if "_wrapped_call" not in vars(cls):
            cls._wrapped_call = _WrappedCall(cls, cls_call)

        def call_wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
            return self._wrapped_call(self, *args, **kwargs)

        cls.__call__ = call_wrapped
        return made

    def _recompile_submodules(self) -> list[tuple[str, PythonCode]]:
        return [
            (name, m.recompile()) for name, m in self.named_children() if isinstance(m, GraphModule)
        ]

    # Copies and pickles -------------------------------------------------------------------------

    def _import_block_(self, code: PythonCode) -> str:
        return _format_import_block(code.globals)

    def __reduce_package__(self, exporter: Any) -> Any:
        body = self.__dict__.copy()
        body["_graphmodule_cls_name"] = self.__class__.__name__
        body.pop("_graph", None)
        name = f"fx-generated._{exporter.get_unique_id()}"
        code = self.recompile()
        exporter.save_source_string(name, _format_import_block(code.globals) + code.src)
        return reduce_package_graph_module, (body, name)

    def __reduce__(self) -> Any:
        body = self.__dict__.copy()
        import_block = self._import_block_(self.recompile())
        body.pop("_graph", None)
        return reduce_graph_module, (body, import_block)

    def _deepcopy_init(self) -> Callable[..., None]:
        return GraphModule.__init__

    def __deepcopy__(self, memo: Any) -> GraphModule:
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        holder = _CodeOnlyModule(
            copy.deepcopy({k: v for k, v in self.__dict__.items() if k != "_graph"}, memo)
        )
        self._deepcopy_init()(made, holder, copy.deepcopy(self._graph))
        kept = (
            "_state_dict_hooks _load_state_dict_pre_hooks _load_state_dict_post_hooks "
            "_replace_hooks _create_node_hooks _erase_node_hooks _deepcopy_hooks"
        )
        for name in kept.split():
            if name in self.__dict__:
                setattr(made, name, copy.deepcopy(self.__dict__[name], memo))
        made.meta = copy.deepcopy(getattr(self, "meta", {}), memo)
        for name in self.meta.get(_USER_PRESERVED_ATTRIBUTES_KEY, {}):
            setattr(made, name, self.meta[_USER_PRESERVED_ATTRIBUTES_KEY][name])
        for hook in self._deepcopy_hooks:
            hook(made)
        return made

    def __copy__(self) -> GraphModule:
        made: GraphModule = module_of(self, self.graph)
        made.meta = getattr(self, "meta", {})
        return made

    # Texts --------------------------------------------------------------------------------------

    @compatibility(is_backward_compatible=False)
    def print_readable(
        self,
        print_output: bool = True,
        include_stride: bool = False,
        include_device: bool = False,
        colored: bool = False,
        *,
        fast_sympy_print: bool = False,
        expanded_def: bool = False,
        additional_meta: list[str] | None = None,
    ) -> str:
        """The program with dtypes and shapes where they are known, and that of graphs inside."""
        return _print_readable(
            self, self._get_name(), print_output, include_stride, include_device, colored,
            expanded_def, additional_meta,
        )  # fmt: skip

    def __str__(self) -> str:
        shown = super().__str__()
        note = "# To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([shown, self._code, note])

    def _replicate_for_data_parallel(self) -> Any:
        made = self.__copy__()
        made._is_replica = True
        return made

    # Hooks --------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _set_replace_hook(self, f: Callable[..., Any]) -> Iterator[None]:
        self._register_replace_node_hook(f)
        try:
            yield
        finally:
            self._unregister_replace_node_hook(f)

    def _register_replace_node_hook(self, f: Callable[..., Any]) -> None:
        assert callable(f), "create_node hook must be a callable."
        self._replace_hooks.append(f)

    def _unregister_replace_node_hook(self, f: Callable[..., Any]) -> None:
        self._replace_hooks.remove(f)

    def _register_create_node_hook(self, f: Callable[..., Any]) -> None:
        assert callable(f), "create_node hook must be a callable."
        self._create_node_hooks.append(f)

    def _unregister_create_node_hook(self, f: Callable[..., Any]) -> None:
        self._create_node_hooks.remove(f)

    def _register_erase_node_hook(self, f: Callable[..., Any]) -> None:
        assert callable(f), "erase_node hook must be a callable."
        self._erase_node_hooks.append(f)

    def _unregister_erase_node_hook(self, f: Callable[..., Any]) -> None:
        self._erase_node_hooks.remove(f)

    def _register_deepcopy_hook(self, f: Callable[..., Any]) -> None:
        assert callable(f), "deepcopy hook must be a callable."
        self._deepcopy_hooks.append(f)

    def _unregister_deepcopy_hook(self, f: Callable[..., Any]) -> None:
        self._deepcopy_hooks.remove(f)


adopt(__name__, _attributes, _generated_code, _readable)
