"""The lowest layer: errors, constants, sizes and signatures, which know of no tensor."""
