"""mindtorch_dispatch."""
