"""Many games at once: what a game does, told in numbers."""
