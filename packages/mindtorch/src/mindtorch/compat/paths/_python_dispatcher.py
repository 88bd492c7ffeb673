"""PythonDispatcher: shows which kernel a toy op would run at which key.

Register names of kernels at keys and print the table that the dispatcher computes from them::

    dispatcher = PythonDispatcher()
    dispatcher.register(["CPU", "XLA", "CompositeImplicitAutograd"])
    print(dispatcher.dispatchTable())

One key stands for each kind: ``CPU`` for backends with an autograd key of their own, ``FPGA`` for
those behind ``AutogradOther``, ``XLA`` and ``Lazy`` for backends of others, and the alias keys.
"""

from __future__ import annotations

from collections.abc import Sequence

from mindtorch import _C

__all__ = ["PythonDispatcher"]


class PythonDispatcher:
    """The toy op ``__test__::foo``; it lives as long as the object."""

    namespace = "__test__"
    name = "foo"
    runtime_keys = [
        "CPU",
        "AutogradCPU",
        "FPGA",
        "AutogradOther",
        "XLA",
        "AutogradXLA",
        "Lazy",
        "AutogradLazy",
    ]
    alias_keys = ["CompositeExplicitAutograd", "Autograd", "CompositeImplicitAutograd"]
    supported_keys = runtime_keys + alias_keys

    def __init__(self) -> None:
        """Raises RuntimeError while another one lives."""
        _C._dispatch_check_invariants(self.name)
        self.ref = _C._dispatch_library("FRAGMENT", self.namespace, "")
        self.ref.def_("foo(Tensor x) -> Tensor")

    def keys(self) -> list[str]:
        """The keys that :meth:`register` takes."""
        return self.supported_keys

    def register(self, dispatchKeys: Sequence[str]) -> None:
        """Register a kernel ``fn_<key>`` at each key.

        Raises RuntimeError for a key given twice, an unsupported one, or both composite keys.
        """
        if len(set(dispatchKeys)) != len(dispatchKeys):
            raise RuntimeError(f"Overridden is not allowed but found duplicates in {dispatchKeys}.")
        both = {"CompositeImplicitAutograd", "CompositeExplicitAutograd"}
        if both <= set(dispatchKeys):
            raise RuntimeError(
                "Registration to both CompositeImplicitAutograd and CompositeExplicitAutograd is"
                " not allowed."
            )
        for key in dispatchKeys:
            if key not in self.supported_keys:
                raise RuntimeError(
                    f"{key} is not supported, please select a dispatch key in"
                    f" {self.supported_keys}."
                )
            self.ref.impl_t_t("foo", dispatch=key, debug=f"fn_{key}")

    def rawRegistrations(self) -> str:
        """Every registration, as ``torch._C._dispatch_dump`` prints them."""
        return _C._dispatch_dump(f"{self.namespace}::{self.name}")

    def rawDispatchTable(self) -> str:
        """Every slot, as ``torch._C._dispatch_dump_table`` prints them."""
        return _C._dispatch_dump_table(f"{self.namespace}::{self.name}")

    def registrations(self) -> str:
        """Keys and their kernels, alias keys too."""
        text = _header("Registered Kernels")
        for line in self.rawRegistrations().splitlines():
            key, _, rest = line.partition(": ")
            if key.startswith(tuple(self.supported_keys)):
                text += _line(key, rest.partition(" :: ")[0])
        return text

    def dispatchTable(self) -> str:
        """What each runtime key would run: alias keys are resolved."""
        text = _header("Computed Dispatch Table")
        for line in self.rawDispatchTable().splitlines():
            key, _, entry = line.partition(": ")
            if key in self.runtime_keys:
                if entry.endswith("[backend fallback]"):
                    entry = "[backend fallback]"  # torch leaves the place of its own out
                text += _line(key, entry)
        return text


def _line(key: str, kernel: str) -> str:
    return f"{key:<15} {kernel}\n"


def _header(title: str) -> str:
    return f"\n{title}\n{_line('key', 'kernel')}---------------------------\n"
