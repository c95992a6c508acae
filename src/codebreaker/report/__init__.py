"""Tables, figures and findings: what people look at."""
