"""Game trees: partitions, growth turn by turn, and files."""
