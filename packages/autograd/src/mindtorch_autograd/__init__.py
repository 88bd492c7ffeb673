"""mindtorch_autograd."""
