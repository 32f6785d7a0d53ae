"""What people use: the command line, and the live table with its pages."""
