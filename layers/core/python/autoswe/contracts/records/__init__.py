"""The platform's own records, as the table holds them."""
