"""The BackendSelect key: a factory has no tensor to take its backend from, only ``device=``.

The backend is already in the signature (``calls.signature`` reads the device argument), so the
kernel only goes on below.
"""

from __future__ import annotations

from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.specialize import boxed, build
from ..core import functionality_keys


def build_backend_select(overload: Overload, sig: int, mask: int) -> Call:
    """Go on with the backend that the device argument names."""
    return build(overload, sig, mask & functionality_keys.BELOW_BACKEND_SELECT)


backend_select = boxed(build_backend_select)
