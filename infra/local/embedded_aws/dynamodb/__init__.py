"""DynamoDB, on moto, with what moto lets pass refused."""
