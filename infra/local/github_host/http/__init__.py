"""How requests are taken, limited, refused and answered."""
