"""The terminal interface: it shows what the library finds, and decides nothing itself."""
