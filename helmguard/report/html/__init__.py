"""The page for a browser."""
