"""The assemblies: what the template grants, and what the embedded AWS promises."""
