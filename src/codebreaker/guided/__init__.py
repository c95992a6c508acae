"""Search for weights guided by the exact cost-to-go of each choice."""
