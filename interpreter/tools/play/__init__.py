"""Play in the terminal: the sheet on the table, the menu of options, the seats, and the talk between them."""
