"""The HTTP API and the streams: thin handlers over tables and accounts."""
