"""Tell how many guesses a password takes: a program that is run for each, and imports nothing of the site.

zxcvbn's lists of words take 14 MB, which no worker has to hold for a question that is asked once a day.
Reads JSON from standard input, `{"password": text, "inputs": [texts]}`, and writes a number.
"""

import json
import sys

from zxcvbn import zxcvbn

if __name__ == "__main__":
    request = json.load(sys.stdin.buffer)
    print(int(zxcvbn(request["password"], user_inputs=request["inputs"])["guesses"]))
