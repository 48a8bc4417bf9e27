"""Readers of answer files: a file in, answers still tied to their source out."""

from grader_app.blinding.formats.registry import FORMATS, read_answers

__all__ = ["FORMATS", "read_answers"]
