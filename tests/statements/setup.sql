CREATE TABLE orders (id INT NOT NULL, customer STRING, amount DECIMAL(10, 2), qty INT, paid BOOLEAN, ts TIMESTAMP(3), lz TIMESTAMP_LTZ(3), pt AS PROCTIME(), tags ARRAY<STRING>, props MAP<STRING, INT>, addr ROW<city STRING, zip INT>, day_ DATE, tod TIME, rate DOUBLE, raw_ BYTES, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'replay');
CREATE TABLE customers (name STRING, city STRING, since DATE, PRIMARY KEY (name) NOT ENFORCED) WITH ('connector' = 'replay', 'changelog-mode' = 'I,UA,D');
CREATE TABLE plain (a INT, b STRING, t TIMESTAMP(3)) WITH ('connector' = 'replay');
CREATE TABLE sink_append (id INT, customer STRING) WITH ('connector' = 'replay', 'sink-accepts' = 'append');
CREATE TABLE sink_upsert (customer STRING, total DECIMAL(38, 2), PRIMARY KEY (customer) NOT ENFORCED) WITH ('connector' = 'replay', 'sink-accepts' = 'upsert');
CREATE VIEW big AS SELECT id, customer, amount FROM orders WHERE amount > 100;
