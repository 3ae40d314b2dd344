"""The rules of tile rummy: values, judging, rounds, matches and their records."""
