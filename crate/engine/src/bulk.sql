-- Queries that are measured, over the table `events (k BIGINT, v BIGINT, ts TIMESTAMP(3))`: each behind a line with its name.

-- group-by
SELECT k, COUNT(*) AS n, SUM(v) AS total FROM events GROUP BY k;

-- count
SELECT k, COUNT(*) AS n FROM events GROUP BY k;

-- tumble
SELECT k, window_start, window_end, COUNT(*) AS n, SUM(v) AS total FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY k, window_start, window_end;

-- hop
SELECT k, window_start, window_end, COUNT(*) AS n, SUM(v) AS total FROM TABLE(HOP(TABLE events, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)) GROUP BY k, window_start, window_end;

-- cumulate
SELECT k, window_start, window_end, COUNT(*) AS n, SUM(v) AS total FROM TABLE(CUMULATE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)) GROUP BY k, window_start, window_end;

-- session
SELECT k, window_start, window_end, COUNT(*) AS n, SUM(v) AS total FROM TABLE(SESSION(TABLE events PARTITION BY k, DESCRIPTOR(ts), INTERVAL '2' SECOND)) GROUP BY k, window_start, window_end;

-- count-distinct
SELECT k, COUNT(DISTINCT v) AS n FROM events GROUP BY k;

-- group-by-mini-batch
SET 'table.exec.mini-batch.enabled' = 'true';
SET 'table.exec.mini-batch.size' = '1000';
SET 'table.exec.mini-batch.allow-latency' = '1 s';
SELECT k, COUNT(*) AS n, SUM(v) AS total FROM events GROUP BY k;

-- over-rows
SELECT k, SUM(v) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN 9 PRECEDING AND CURRENT ROW) AS total FROM events;

-- over-range
SELECT k, SUM(v) OVER (PARTITION BY k ORDER BY ts RANGE BETWEEN INTERVAL '1' MINUTE PRECEDING AND CURRENT ROW) AS total FROM events;

-- over-unbounded
SELECT k, SUM(v) OVER (PARTITION BY k ORDER BY ts) AS total FROM events;

-- top-n
SELECT k, v, rn FROM (SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM events) WHERE rn <= 10;

-- top-n-of-counts
SELECT k, n FROM (SELECT k, n, ROW_NUMBER() OVER (ORDER BY n DESC) AS rn FROM (SELECT k, COUNT(*) AS n FROM events GROUP BY k)) WHERE rn <= 100;

-- keep-first
SELECT k, v FROM (SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k, v ORDER BY ts ASC) AS rn FROM events) WHERE rn = 1;

-- keep-last
SELECT k, v FROM (SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS rn FROM events) WHERE rn = 1;

-- join-keyed
SELECT a.k, n, total FROM (SELECT k, COUNT(*) AS n FROM events GROUP BY k) AS a LEFT JOIN (SELECT k, SUM(v) AS total FROM events WHERE v > 10 GROUP BY k) AS b ON a.k = b.k;

-- join-rows
SELECT a.k, a.v, most FROM events AS a JOIN (SELECT k, MAX(v) AS most FROM events GROUP BY k) AS b ON a.k = b.k;

-- inner-join
SELECT a.k, a.v, b.v AS other FROM events AS a JOIN (SELECT k, v FROM events WHERE v < 50) AS b ON a.k = b.k;

-- semi-join
SELECT k, v FROM events WHERE k IN (SELECT MOD(v, 100) FROM events);

-- interval-join
SELECT a.k, a.v, b.v AS earlier FROM events a JOIN events b ON a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL '1' SECOND AND a.ts;

-- window-join
SELECT l.k, l.v, r.v AS other, l.window_start FROM (SELECT * FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' SECOND))) l JOIN (SELECT * FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' SECOND)) WHERE v < 500) r ON l.k = r.k AND l.window_start = r.window_start AND l.window_end = r.window_end;

-- temporal-join
CREATE VIEW versions AS SELECT k, v, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS place FROM events) WHERE place = 1;
SELECT e.k, e.v, versions.v AS latest FROM events AS e JOIN versions FOR SYSTEM_TIME AS OF e.ts ON e.k = versions.k;

-- filter-project
SELECT k, v * 2 AS twice, ts FROM events WHERE v > 10;
