"""The GraphQL API: GitHub's own schema, cut to what is asked, executed over the host's state."""
