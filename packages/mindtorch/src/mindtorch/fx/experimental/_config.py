"""``torch.fx.experimental._config``: options of symbolic shapes; checked and told back."""

from __future__ import annotations

from ...compat.configuration import install

install(__name__, __file__)
