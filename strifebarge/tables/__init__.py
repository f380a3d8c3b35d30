"""The people round a game: who sits, who may act, what each of them is shown."""
