"""Compiled loops: candidates listed and drawn, and guesses scored over them."""
