"""Modules under the paths that the design documents give them.

The folder is part of the path of the root package: ``compat/design_paths/_functional.py`` is the
module ``mindtorch._functional``. What they have lives elsewhere, under torch's names; torch has
none of these modules. Nothing else imports them, and they import absolutely.
"""
