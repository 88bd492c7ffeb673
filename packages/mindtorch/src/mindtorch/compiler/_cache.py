"""What is told of the files of a compiler's cache: there are none."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class CacheInfo:
    """The keys of what was saved or loaded, by kind."""

    artifacts: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
