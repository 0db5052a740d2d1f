"""Random games per second, side by side: our backends, and other engines that know the same game."""
