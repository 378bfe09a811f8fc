"""Edge: letting the user's own helm run exactly what was planned, and finding out what came of it."""
