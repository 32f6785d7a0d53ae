"""The pages and their routes: who may use which, and how often."""
