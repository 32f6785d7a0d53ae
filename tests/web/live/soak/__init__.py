"""A long evening in a short time, with everything going wrong that can."""
