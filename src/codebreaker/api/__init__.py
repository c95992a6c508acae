"""The library behind `import codebreaker`: games, positions, trees, prices and comparisons."""
