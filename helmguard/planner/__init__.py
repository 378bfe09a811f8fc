"""Makes a plan: read, render, predict, compare, judge."""
