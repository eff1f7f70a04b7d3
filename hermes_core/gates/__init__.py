"""The two gates. They answer questions about a state and never change it; neither knows the other."""
