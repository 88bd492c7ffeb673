"""``torch.mps.profiler`` of a build without MPS."""

from __future__ import annotations

from ..core.unavailable import absent, offer_listed

absent(
    globals(),
    {
        "start": RuntimeError("Cannot execute startProfileTrace() without MPS backend."),
        "stop profile": RuntimeError("Cannot execute stopProfileTrace() without MPS backend."),
    },
)

offer_listed(globals())
