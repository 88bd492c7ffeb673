"""From a call to the function that serves it: arguments, preparation, tables of resolved calls."""
