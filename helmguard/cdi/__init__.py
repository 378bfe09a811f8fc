"""Specs of the Container Device Interface: what is in them, and what is wrong with them, pure."""
