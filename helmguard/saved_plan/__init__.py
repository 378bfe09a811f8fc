"""Plans in files: written when a plan is made, shown and executed later, elsewhere."""
