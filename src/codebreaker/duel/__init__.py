"""The codemaker as an opponent: values of games, and the tree with the best worst class."""
