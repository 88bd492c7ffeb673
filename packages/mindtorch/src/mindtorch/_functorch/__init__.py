"""``torch._functorch``: where torch keeps what ``torch.func`` offers."""
