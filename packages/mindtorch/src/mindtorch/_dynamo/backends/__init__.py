"""``torch._dynamo.backends``: the names of the compilers that torch knows."""
