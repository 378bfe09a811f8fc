"""What is known of the shape of objects: built-in kinds from generated data, custom ones from their CRD."""
