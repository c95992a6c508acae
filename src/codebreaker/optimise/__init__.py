"""The genetic algorithm that searches for weights, on the CPU and on CUDA, and its fitness."""
