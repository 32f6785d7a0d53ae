"""The live table: what the cameras see, judged turn by turn, kept, and told to everyone."""
