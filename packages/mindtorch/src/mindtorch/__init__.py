"""mindtorch."""
