"""Findings: what is dangerous about a plan. One detector a file, each a pure function of the facts."""
