"""Reading: what each tile shows, by itself and beside all others of a picture."""
