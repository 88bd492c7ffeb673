"""What rules of operators on distributed tensors share."""
