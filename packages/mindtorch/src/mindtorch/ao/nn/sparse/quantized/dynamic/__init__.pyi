# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import linear as linear

Linear: Any
