"""One module per functionality key: its kernel reads the op's row and goes on below."""
