"""Training the networks; needs the `train` extra, in an environment of its own."""
