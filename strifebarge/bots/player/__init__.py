"""The process that plays the bots' seats, and the thinking processes that choose its moves."""
