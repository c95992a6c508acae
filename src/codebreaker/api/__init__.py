"""What `import codebreaker` offers: games, positions, trees, prices and comparisons, by label."""
