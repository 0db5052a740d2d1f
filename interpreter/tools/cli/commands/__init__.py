"""The commands of `dsl`: one module each, named like its command, with `COMMAND`."""
