"""Compiling loops for the CPU, with a cache of machine code, and recording them for CUDA."""
