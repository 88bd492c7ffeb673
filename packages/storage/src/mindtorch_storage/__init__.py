"""mindtorch_storage."""
