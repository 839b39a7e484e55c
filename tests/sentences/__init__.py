"""Which rule or step keeps each sentence of a requirements page, and which test notices when it does not."""
