"""Go's text/template with sprig, as far as ApplicationSets use it. What is not here is refused by name."""
