"""Texts that are torch's, or raised in more than one place. One function per message.

Those of schemas and of the argument parser are in ``schema_errors.py`` and ``argument_errors.py``.

Exceptions are the types torch raises, so users' ``except`` clauses keep working::

    RuntimeError
     ├── NotImplementedError    missing kernel, no tensor arguments
     └── (plain)                bad registrations, unknown ops and keys
    ValueError                  bad Library arguments
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# --- keys and registrations ----------------------------------------------------------------


def unknown_key(name: str) -> RuntimeError:
    """torch c10/core/DispatchKey.cpp, parseDispatchKey."""
    return RuntimeError(f"could not parse dispatch key: {name}")


def unknown_op(name: str, similar: Sequence[str]) -> RuntimeError:
    """Our own text: an op that nobody has registered."""
    hint = f"; did you mean {', '.join(similar)}?" if similar else ""
    return RuntimeError(f"no operator {name} is registered{hint}")


def no_schema(name: str, *, has_kernels: bool) -> RuntimeError:
    """torch ATen/core/dispatch/Dispatcher.cpp, findSchemaOrThrow."""
    text = f"Could not find schema for {name}{'' if '.' in name else '.'}"
    if has_kernels:
        text += " but we found an implementation; did you forget to def() the operator?"
    return RuntimeError(text)


def no_computed_kernel(key: str, name: str) -> RuntimeError:
    """torch csrc/utils/python_dispatch.cpp, _dispatch_get_computed_kernel_for_dispatch_key."""
    return RuntimeError(f"no kernel for {key} for {name}")


def alias_has_no_computed_kernel() -> RuntimeError:
    """torch ATen/core/dispatch/OperatorEntry.cpp, hasComputedKernelForDispatchKey."""
    return RuntimeError("Alias keys do not have runtime kernel registrations.")


def schema_went_away() -> RuntimeError:
    """torch ATen/core/dispatch/OperatorEntry.h, schema(): an assertion, with its path."""
    return RuntimeError(
        'schema_.has_value() INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/ATen/core/'
        'dispatch/OperatorEntry.h":80, please report a bug to PyTorch. Tried to access the schema'
        " for  which doesn't have a schema registered yet"
    )


def debug_went_away() -> RuntimeError:
    """torch ATen/core/dispatch/OperatorEntry.h, debug(): an assertion, with its path."""
    return RuntimeError(
        'schema_.has_value() INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/ATen/core/'
        'dispatch/OperatorEntry.h":88, please report a bug to PyTorch. '
    )


def duplicate_schema(schema: str, new: str, original: str) -> RuntimeError:
    """torch ATen/core/dispatch/Dispatcher.cpp, Dispatcher::registerDef."""
    return RuntimeError(
        f"Tried to register an operator ({schema}) with the same name and overload name multiple"
        " times. Each overload's schema should only be registered with a single call to def()."
        f" Duplicate registration: {new}. Original registration: {original}"
    )


def inferred_schema_differs(
    name: str, schema: str, site: str, inferred: str, debug: str, reason: str
) -> RuntimeError:
    """torch ATen/core/dispatch/OperatorEntry.cpp, checkSchema."""
    return RuntimeError(
        "Inferred operator schema for a C++ kernel function doesn't match the expected function"
        f" schema.\n  operator: {name}\n  expected schema: {schema}\n    {site}\n"
        f"  inferred schema: {inferred}\n    {debug}\n  reason: {reason}"
    )


def kernel_overridden(name: str, site: str, key: str, old: str, new: str) -> str:
    """torch ATen/core/dispatch/OperatorEntry.cpp, OperatorEntry::registerKernel: a warning."""
    return (
        "Warning only once for all operators,  other operators may also be overridden.\n"
        "  Overriding a previously registered kernel for the same operator and the same dispatch"
        f" key\n  operator: {name}\n    {site}\n  dispatch key: {key}\n"
        f"  previous kernel: {old}\n       new kernel: {new} (Triggered internally at"
        " /__w/pytorch/pytorch/aten/src/ATen/core/dispatch/OperatorEntry.cpp:208.)"
    )


def second_fallback(key: str, previous: str, new: str) -> RuntimeError:
    """torch ATen/core/dispatch/Dispatcher.cpp, Dispatcher::registerFallback."""
    return RuntimeError(
        f"Tried to register multiple backend fallbacks for the same dispatch key {key}; previous"
        f" registration {previous}, new registration {new}"
    )


def fallback_without_key(block: str, site: str) -> RuntimeError:
    """torch ATen/core/library.cpp, Library::_fallback: an assertion, with its path."""
    return RuntimeError(
        'dispatch_key.has_value() INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/ATen/'
        'core/library.cpp":293, please report a bug to PyTorch. (Error occurred while processing'
        f" {block} block at {site})"
    )


def definitions_with_key(block: str, site: str) -> RuntimeError:
    """torch ATen/core/library.cpp, Library::Library: an assertion, with its path."""
    return RuntimeError(
        '!dispatch_key_.has_value() INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/ATen/'
        'core/library.cpp":108, please report a bug to PyTorch. (Error occurred while processing'
        f" {block} block at {site})"
    )


def fallback_outside_impl(block: str, site: str) -> RuntimeError:
    """torch ATen/core/library.cpp, Library::_fallback."""
    return RuntimeError(
        f"fallback(...): Cannot define an operator inside of a {block} block.  Did you mean to call"
        " this function inside a TORCH_LIBRARY_IMPL block?  (Error occurred while processing"
        f" {block} block at {site})"
    )


def fallback_of_one_namespace(ns: str, key: str, block: str, site: str) -> RuntimeError:
    """torch ATen/core/library.cpp, Library::_fallback."""
    return RuntimeError(
        "fallback(...): Fallback functions which apply to only a single namespace (you specified"
        f" {ns}) are not supported.  If you intended to apply this fallback function globally,"
        " please define a separate block:\n\n    TORCH_LIBRARY_IMPL(_, "
        f"{key}, m) {{ m.fallback(...); }}\n\n(Error occurred while processing {block} block at"
        f" {site})"
    )


def unknown_word(word: str) -> RuntimeError:
    """torch csrc/utils/python_dispatch.cpp, parseKind and parseAliasAnalysisKind."""
    return RuntimeError(f"could not parse {word}")


def wildcard_without_namespace(name: str) -> RuntimeError:
    """Our own text: torch crashes."""
    return RuntimeError(
        f'impl("{name}", ...): an IMPL block of the wildcard namespace _ registers fallbacks only'
    )


def kernel_exists(name: str, key: str, where: str) -> RuntimeError:
    """Our own text: a registration that asked not to override an older one."""
    return RuntimeError(
        f"{name} already has a kernel at {key}, {where}; pass allow_override=True to replace it"
    )


# --- Library -------------------------------------------------------------------------------


def reserved_namespace(ns: str) -> ValueError:
    """torch/library.py, Library.__init__."""
    return ValueError(
        f"{ns} is a reserved namespace. Please try creating a library with another name."
    )


def wildcard_namespace(block: str, site: str) -> RuntimeError:
    """torch ATen/core/library.cpp, Library::Library."""
    return RuntimeError(
        f"{block}: cannot define {block} with the wildcard namespace _ (every {block} defines"
        " operators for a distinct namespace!) Did you mean to use TORCH_LIBRARY_IMPL instead?"
        f"  (Error occurred while processing {block} block at {site})"
    )


def second_def_block(ns: str, previous: str, latest: str) -> RuntimeError:
    """torch ATen/core/dispatch/Dispatcher.cpp, registerLibrary."""
    return RuntimeError(
        f"Only a single TORCH_LIBRARY can be used to register the namespace {ns}; please put all"
        " of your definitions in a single TORCH_LIBRARY block.  If you were trying to specify"
        " implementations, consider using TORCH_LIBRARY_IMPL (which can be duplicated).  If you"
        " really intended to define operators for a single namespace in a distributed way, you"
        " can use TORCH_LIBRARY_FRAGMENT to explicitly indicate this.  Previous registration of"
        f" TORCH_LIBRARY was registered at {previous}; latest registration was registered at"
        f" {latest}"
    )


def define_in_impl_block(name: str, site: str) -> RuntimeError:
    """torch ATen/core/library.cpp, Library::_def."""
    return RuntimeError(
        f'def("{name}"): Cannot define an operator inside of a TORCH_LIBRARY_IMPL block.  All'
        " def()s should be placed in the (unique) TORCH_LIBRARY block for their namespace. "
        f" (Error occurred while processing TORCH_LIBRARY_IMPL block at {site})"
    )


def other_namespace_in_schema(given: str, ns: str, block: str, site: str) -> RuntimeError:
    """torch ATen/core/library.cpp, Library::_def."""
    return RuntimeError(
        f"Explicitly provided namespace ({given}) in schema string does not match namespace of"
        f" enclosing {block} block ({ns}).  Move this definition to the (unique) TORCH_LIBRARY"
        " block corresponding to this namespace (and consider deleting the namespace from your"
        f" schema string.)  (Error occurred while processing {block} block at {site})"
    )


def other_namespace_in_impl(
    op_name: str, given: str, ns: str, block: str, site: str
) -> RuntimeError:
    """torch ATen/core/library.cpp, Library::_parseNameForLib."""
    return RuntimeError(
        f'impl("{op_name}", ...): Explicitly provided namespace ({given}) in operator name does'
        f" not match namespace of enclosing {block} block ({ns}).  Move this definition to the"
        f" {block} block corresponding to this namespace (and consider deleting the namespace"
        f" from your schema string.)  (Error occurred while processing {block} block at {site})"
    )


def inconsistent_key(op_name: str, key: str, own: str, block: str, site: str) -> RuntimeError:
    """torch ATen/core/library.cpp, Library::_impl."""
    return RuntimeError(
        f'impl("{op_name}", ...): Explicitly provided dispatch key ({key}) is inconsistent with'
        f" the dispatch key of the enclosing {block} block ({own}).  Please declare a separate"
        f" {block} block for this dispatch key and move your impl() there.  (Error occurred while"
        f" processing {block} block at {site})"
    )


def impl_name(kind: type) -> RuntimeError:
    """torch/library.py, Library.impl."""
    return RuntimeError(
        "impl should be passed either a name or an OpOverload object as the first argument, got"
        f" {kind}"
    )


def not_callable(kind: type) -> TypeError:
    """torch/library.py, Library.impl."""
    return TypeError(f"Input function is required to be a callable but found type {kind}")


def fallback_namespace(ns: str) -> RuntimeError:
    """torch/library.py, Library.fallback."""
    return RuntimeError(
        "Fallback can only be registered using library fragment on the global namespace"
        f' "_" but it is {ns}'
    )


def alias_analysis(kind: str) -> RuntimeError:
    """torch/library.py, Library.define."""
    return RuntimeError(f"Invalid alias_analysis type {kind}")


# --- pipeline ------------------------------------------------------------------------------


PIPELINE_NOTE = "deferred operator "


def pipeline_note(op: str, site: str) -> str:
    """Our own text: which deferred op raised, added to the error as a note."""
    return f"{PIPELINE_NOTE}{op}, recorded at {site}"


def pipeline_flush_note(error: BaseException) -> str:
    """Our own text: leaving a pipeline by an exception, when the flush fails as well."""
    notes = "".join(f"\n  {note}" for note in getattr(error, "__notes__", ()))
    return f"the pipeline also failed to flush: {type(error).__name__}: {error}{notes}"


def pipeline_interrupted(op: str, site: str, how: str) -> RuntimeError:
    """Our own text: reading what was pending when a flush was stopped from outside."""
    return RuntimeError(
        f"no value: {how} stopped the pipeline while it ran operator {op}, recorded at {site}"
    )


# --- calls ---------------------------------------------------------------------------------


def missing_kernel(name: str, key: str, available: Iterable[str], dump: str) -> NotImplementedError:
    """torch ATen/core/dispatch/OperatorEntry.cpp, OperatorEntry::reportError."""
    return NotImplementedError(
        f"Could not run '{name}' with arguments from the '{key}' backend. This could be because"
        " the operator doesn't exist for this backend, or was omitted during the"
        " selective/custom build process (if using custom build). If you are a Facebook employee"
        " using PyTorch on mobile, please visit https://fburl.com/ptmfixes for possible"
        f" resolutions. '{name}' is only available for these backends:"
        f" [{', '.join(available)}].\n\n{dump}"
    )


def no_tensor_arguments(name: str, available: Iterable[str], dump: str) -> NotImplementedError:
    """torch ATen/core/dispatch/OperatorEntry.cpp, OperatorEntry::reportError."""
    return NotImplementedError(
        "There were no tensor arguments to this function (e.g., you passed an empty list of"
        f" Tensors), but no fallback function is registered for schema {name}.  This usually"
        " means that this function requires a non-empty list of Tensors, or that you (the"
        " operator writer) forgot to register a fallback function.  Available functions are"
        f" [{', '.join(available)}].\n\n{dump}"
    )


def falls_through(name: str, key: str) -> NotImplementedError:
    """Our own text: somebody asked for the kernel of a key that is skipped."""
    return NotImplementedError(f"{name} falls through at {key}: there is no kernel to call")


def fallthrough_executed() -> RuntimeError:
    """torch ATen/core/boxing/KernelFunction.cpp, fallthrough_kernel (an assertion)."""
    return RuntimeError(
        '0 INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/ATen/core/boxing/'
        'KernelFunction.cpp":14, please report a bug to PyTorch. fallthrough_kernel was executed'
        " but it should have been short-circuited by the dispatcher. This could occur if you"
        " registered a fallthrough kernel as a override for a specific operator (as opposed to a"
        " backend fallback); this is NOT currently supported, and we do not intend to add support"
        " for it in the near future.  If you do find yourself in need of this, let us know in the"
        " bug tracker."
    )


def ambiguous_autogradother(name: str) -> RuntimeError:
    """torch ATen/core/boxing/KernelFunction.cpp, ambiguous_autogradother_kernel."""
    return RuntimeError(
        f"{name} has kernels registered to both CompositeImplicitAutograd and a backend mapped to"
        " AutogradOther. This makes the backend kernel unreachable; the dispatcher will always"
        " prefer the CompositeImplicitAutograd lowering (see Note [Ambiguity in AutogradOther"
        " kernel]). If you want to override CompositeImplicitAutograd, please open an issue to"
        " request a dedicated Autograd dispatch key for the backend.\nIf you only want to run"
        " inference instead of training, in C++, add `c10::InferenceMode mode;` before"
        " model.forward(); in Python, use `torch.inference_mode()` as a context manager (see"
        " https://pytorch.org/docs/stable/generated/torch.inference_mode.html).\n\nCanonical"
        f" state\n~~~~~~~~~~~\n{name}\n\n"
    )
