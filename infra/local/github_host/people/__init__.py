"""People and Apps, what they may do, and the tokens that say so."""
