"""The library behind `import codebreaker`: games, positions, trees, regrets and comparisons."""
