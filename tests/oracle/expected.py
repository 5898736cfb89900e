"""Writes crate/sql/src/expected/table.txt from tests/statements.

The table says after which text Flink's parser expects what: the words of its messages once, lists of them by number,
and for each refused statement its text up to the token that did not fit, with the number of its list.
"""

import pathlib
import re

root = pathlib.Path(__file__).resolve().parents[2]
words, lists, examples = {}, {}, []
recorded = [(root / f"tests/statements/{name}.tsv").read_text() for name in ("parser", "people", "kinds")]
for line in "\n".join(recorded).splitlines():
    if line.startswith("#") or "\t" not in line:
        continue
    text, message = line.split("\t", 1)
    message = message.replace("\\n", "\n")
    head, found, rest = message.partition("\nWas expecting")
    place = re.search(r'(?:Encountered "(.*)"|keyword \'.*\') at line 1, column (\d+)', head)
    if not found or not place:
        continue
    offset = int(place.group(2)) - 1
    if head.startswith("SqlParserEOFException"):
        offset = len(text)
    items = [item[4:].rstrip() for item in rest.split("\n")[1:] if item.strip()]
    numbers = tuple(words.setdefault(item, len(words)) for item in items)
    number = lists.setdefault(numbers, len(lists))
    examples.append((text[:offset], text[offset:], number))


def ranges(numbers):
    out = []
    for number in numbers:
        if out and out[-1][1] + 1 == number:
            out[-1][1] = number
        else:
            out.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


with open(root / "crate/sql/src/expected/table.txt", "w") as table:
    table.write("# Written by tests/oracle/expected.py from tests/statements.\n")
    for word in words:
        table.write(f"w {word}\n")
    for numbers in lists:
        table.write(f"l {ranges(numbers)}\n")
    for before, after, number in examples:
        table.write(f"e {number}\t{before}\t{after}\n")
