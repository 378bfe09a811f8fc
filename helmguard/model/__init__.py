"""The words helmguard is written in, as plain immutable data: no I/O, no behaviour beyond look-ups."""
