"""Imports the modules that define rows. A new family is one more name here.

Those that most programs never use stand in :mod:`.later` instead.
"""

from __future__ import annotations

