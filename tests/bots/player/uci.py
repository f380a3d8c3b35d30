"""A chess program for tests, by UCI: `python uci.py HOW`; it plays the first legal move by name, or fails."""

import sys
import time

import chess


def main() -> None:
    board = chess.Board()
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                say("id name Stub", "option name Skill Level type spin default 20 min 0 max 20", "uciok")
            case ["isready"]:
                say("readyok")
            case ["setoption", "name", "Skill", "Level", "value", _]:
                print(line.strip(), file=sys.stderr)
            case ["position", *rest]:
                board = position(rest)
            case ["go", *limits]:
                print(*limits, file=sys.stderr)
                go(board)
            case ["quit"]:
                return


def position(words: list[str]) -> chess.Board:
    at = words.index("moves") if "moves" in words else len(words)
    board = chess.Board() if words[0] == "startpos" else chess.Board(" ".join(words[1:at]))
    for move in words[at + 1 :]:
        board.push_uci(move)
    return board


def go(board: chess.Board) -> None:
    match sys.argv[1]:
        case "dies":
            sys.exit(3)
        case "hangs":
            time.sleep(3600)
        case "lies":
            say("bestmove a1a1")
        case _:
            say(f"bestmove {min(move.uci() for move in board.legal_moves)}")


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
