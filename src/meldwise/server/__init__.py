"""The server: tables over a network, for one laptop or many processes on PostgreSQL."""
