"""What the package keeps and shows while it runs: caches, progress, digests of its own source."""
