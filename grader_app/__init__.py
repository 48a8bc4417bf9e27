"""A blinded grading workbench: a score with its evidence and its error bar."""

__version__ = "0.1.0"
