"""Rollout: a policy improved by looking at what follows the best of its guesses."""
