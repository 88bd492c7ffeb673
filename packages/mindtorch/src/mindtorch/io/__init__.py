"""Tensors in other forms: printed, copied and pickled, handed over through DLPack."""
