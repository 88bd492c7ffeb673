"""Every test starts from the state of a fresh import."""

from __future__ import annotations

import mindtorch_storage
import pytest
from mindtorch_storage import hooks
from mindtorch_storage.typed import _reset_warn_typed_storage_removal


@pytest.fixture(autouse=True)
def fresh_state(monkeypatch):
    for name in ("before_read", "on_moved", "current_device"):
        monkeypatch.setattr(hooks, name, getattr(hooks, name))
    monkeypatch.setattr(hooks, "allocators", dict(hooks.allocators))
    _reset_warn_typed_storage_removal()
    before = mindtorch_storage.get_default_dtype()
    yield
    mindtorch_storage.set_default_dtype(before)
