"""Tables: the log of what happened, the state that follows from it, and who acts on it."""
