"""The labelling page: proposed tiles, put right by a person and kept in a file."""
