"""What a user decides about findings: the gate, and the overrides, ignores and waivers of a file."""
