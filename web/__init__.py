"""What people use: for now the command line."""
