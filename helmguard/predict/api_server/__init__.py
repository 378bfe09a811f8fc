"""What the API server makes of an object that Helm sends: decoding, defaults, update rules, validation."""
