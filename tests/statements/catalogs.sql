CREATE CATALOG c WITH ('type' = 'generic_in_memory');
CREATE CATALOG c2 COMMENT 'second' WITH ('type' = 'generic_in_memory', 'default-database' = 'base');
CREATE DATABASE d1 COMMENT 'one' WITH ('k' = 'v');
CREATE TABLE plain (a INT, b STRING) WITH ('connector' = 'replay');
CREATE TABLE d1.other (a INT, b STRING) WITH ('connector' = 'replay');
CREATE TEMPORARY TABLE tmp (a INT) WITH ('connector' = 'replay');
CREATE MODEL m INPUT (a STRING) OUTPUT (b STRING) WITH ('provider' = 'openai', 'endpoint' = 'x');
