"""What single libraries need that torch itself does not have."""
