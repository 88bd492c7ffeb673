"""``torch.jit.mobile``: scripts of the lite interpreter, which is not here."""

from __future__ import annotations

from ...core.unavailable import SCRIPTS, offer_listed, refusals

_NAMES = (
    "_backport_for_mobile _backport_for_mobile_to_buffer _export_operator_list "
    "_get_mobile_model_contained_types _get_model_bytecode_version _get_model_ops_and_info "
    "_load_for_lite_interpreter"
).split()
globals().update(refusals("torch.jit.mobile", _NAMES, SCRIPTS))


offer_listed(globals())


def __dir__() -> list[str]:
    return sorted(_NAMES)
