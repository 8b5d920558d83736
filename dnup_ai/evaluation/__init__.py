"""Evaluations whose weights were fitted: the files that ship, and how they are made (fit.py)."""
