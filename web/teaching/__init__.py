"""Teach my set from the pages: photos are looked over, a set is taught, kept and used."""
