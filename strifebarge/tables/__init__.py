"""Tables: the people round a game, what they may do, how it is played, what each of them is shown."""
