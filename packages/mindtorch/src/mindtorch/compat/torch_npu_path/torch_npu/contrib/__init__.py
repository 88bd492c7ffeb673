"""Parts of torch_npu that programs ask for by name: ``transfer_to_npu`` acts when imported."""
