"""What a person at a real table types and is told, game by game: first hands, events in short, why one cannot be."""
