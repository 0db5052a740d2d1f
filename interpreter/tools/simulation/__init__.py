"""What came of simulations, shown: as text, as data, as a page, in tables of a database."""
