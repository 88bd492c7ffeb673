"""``torch.export.exported_program``: the classes of exported programs, which none is made of."""

from __future__ import annotations

from ..core.unavailable import COMPILER, offer

offer(
    globals(),
    COMPILER,
    "default_decompositions",
    "ExportBackwardSignature ExportGraphSignature ExportedProgram ModuleCallEntry "
    "ModuleCallSignature",
)
