"""What the package keeps and shows while it runs: caches, seals, progress, source digests."""
