"""``torch._library.fake_impl``: where torch keeps what runs fake implementations."""

from .fake import FakeImplCtx, set_ctx_getter

__all__ = ["FakeImplCtx", "set_ctx_getter"]
