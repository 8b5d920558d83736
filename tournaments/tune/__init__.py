"""Tuning: finds better parameters of a bot on noisy games, and proves that they are better."""
