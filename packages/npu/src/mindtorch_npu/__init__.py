"""mindtorch_npu."""
