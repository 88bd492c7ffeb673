"""Every operator of torch's own table of tests (``OpInfo``), called here and in torch."""
