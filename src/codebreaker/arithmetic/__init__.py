"""Arithmetic that every backend shares, and the compiler that keeps its machine code."""
