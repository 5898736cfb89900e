-- What a shop watches: orders, clicks and payments from Kafka, customers and prices from databases.
SET 'table.exec.state.ttl' = '36 h';

CREATE TABLE orders (
  order_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  shop STRING,
  channel STRING,
  currency STRING,
  amount DECIMAL(12, 2),
  discount DECIMAL(12, 2),
  items ARRAY<ROW<sku STRING, quantity INT, price DECIMAL(10, 2)>>,
  attributes MAP<STRING, STRING>,
  address ROW<street STRING, city STRING, country STRING>,
  order_time TIMESTAMP(3),
  processed AS PROCTIME(),
  WATERMARK FOR order_time AS order_time - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'orders',
  'properties.bootstrap.servers' = 'broker:9092',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

CREATE TABLE payments (
  payment_id STRING,
  order_id BIGINT,
  means STRING,
  amount DECIMAL(12, 2),
  status STRING,
  paid_at TIMESTAMP(3),
  WATERMARK FOR paid_at AS paid_at - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'payments',
  'properties.bootstrap.servers' = 'broker:9092',
  'format' = 'json'
);

CREATE TABLE clicks (
  session_id STRING,
  customer_id BIGINT,
  url STRING,
  referrer STRING,
  user_agent STRING,
  ts_ms BIGINT,
  click_time AS TO_TIMESTAMP_LTZ(ts_ms, 3),
  WATERMARK FOR click_time AS click_time - INTERVAL '2' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'clicks',
  'properties.bootstrap.servers' = 'broker:9092',
  'format' = 'json'
);

CREATE TABLE customers (
  customer_id BIGINT NOT NULL,
  name STRING,
  tier STRING,
  country STRING,
  since DATE,
  PRIMARY KEY (customer_id) NOT ENFORCED
) WITH (
  'connector' = 'jdbc',
  'url' = 'jdbc:mysql://db:3306/shop',
  'table-name' = 'customers',
  'lookup.cache' = 'PARTIAL'
);

CREATE TABLE rates (
  currency STRING NOT NULL,
  rate DECIMAL(18, 6),
  valid_from TIMESTAMP(3),
  WATERMARK FOR valid_from AS valid_from - INTERVAL '1' SECOND,
  PRIMARY KEY (currency) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'rates',
  'properties.bootstrap.servers' = 'broker:9092',
  'key.format' = 'json',
  'value.format' = 'json'
);

CREATE TABLE sales_by_minute (
  shop STRING,
  window_start TIMESTAMP(3),
  window_end TIMESTAMP(3),
  orders_placed BIGINT,
  customers BIGINT,
  turnover DECIMAL(38, 2),
  largest DECIMAL(12, 2)
) WITH ('connector' = 'print');

CREATE TABLE customer_totals (
  customer_id BIGINT NOT NULL,
  name STRING,
  tier STRING,
  placed BIGINT NOT NULL,
  spent DECIMAL(38, 6),
  PRIMARY KEY (customer_id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'customer-totals',
  'properties.bootstrap.servers' = 'broker:9092',
  'key.format' = 'json',
  'value.format' = 'json'
);

CREATE TABLE alerts (
  kind STRING,
  customer_id BIGINT,
  detail STRING,
  at_time TIMESTAMP(3)) WITH ('connector' = 'print');

-- What most queries read: an order with its amount in one currency.
CREATE VIEW orders_in_euro AS
SELECT
  o.order_id,
  o.customer_id,
  o.shop,
  o.channel,
  CAST(o.amount * COALESCE(r.rate, 1) AS DECIMAL(18, 6)) AS euro,
  CASE
    WHEN o.amount >= 1000 THEN 'large'
    WHEN o.amount >= 100 THEN 'medium'
    ELSE 'small'
  END AS size_class,
  o.address.country AS country,
  o.order_time
FROM orders AS o
LEFT JOIN rates FOR SYSTEM_TIME AS OF o.order_time AS r
  ON o.currency = r.currency
WHERE o.amount IS NOT NULL
  AND o.shop NOT IN ('test', 'demo', 'internal');

CREATE VIEW order_lines AS
SELECT
  o.order_id,
  UPPER(TRIM(line.sku)) AS sku,
  line.quantity,
  line.price,
  line.quantity * line.price AS total,
  o.order_time
FROM orders AS o
CROSS JOIN UNNEST(o.items) AS line (sku, quantity, price)
WHERE line.quantity > 0;

CREATE VIEW clean_clicks AS
SELECT
  session_id,
  customer_id,
  REGEXP_EXTRACT(url, '^https?://[^/]+(/[^?]*)', 1) AS path,
  PARSE_URL(url, 'QUERY', 'utm_source') AS campaign,
  IF(user_agent LIKE '%Mobile%', 'mobile', 'desktop') AS device,
  DATE_FORMAT(click_time, 'yyyy-MM-dd HH:mm') AS minute_text,
  click_time
FROM clicks
WHERE url IS NOT NULL
  AND user_agent NOT LIKE '%bot%'
  AND CHAR_LENGTH(session_id) BETWEEN 8 AND 64;

CREATE VIEW latest_payment AS
SELECT payment_id, order_id, means, amount, status, paid_at
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY order_id ORDER BY paid_at DESC) AS newest
  FROM payments
)
WHERE newest = 1;

-- Turnover by shop and minute, with a row for all shops.
INSERT INTO sales_by_minute
SELECT
  shop,
  window_start,
  window_end,
  COUNT(*) AS orders_placed,
  COUNT(DISTINCT customer_id) AS customers,
  SUM(amount - COALESCE(discount, 0)) AS turnover,
  MAX(amount) AS largest
FROM TABLE(
  TUMBLE(TABLE orders, DESCRIPTOR(order_time), INTERVAL '1' MINUTE)
)
GROUP BY window_start, window_end, GROUPING SETS ((shop), ());

INSERT INTO customer_totals
SELECT
  c.customer_id,
  MAX(c.name) AS name,
  MAX(c.tier) AS tier,
  COUNT(*) AS placed,
  CAST(SUM(e.euro) AS DECIMAL(38, 6)) AS spent
FROM orders_in_euro AS e
JOIN customers AS c ON e.customer_id = c.customer_id
GROUP BY c.customer_id;

-- Three failed payments of an order, then one that succeeds, within ten minutes.
INSERT INTO alerts
SELECT
  'many attempts' AS kind,
  order_id AS customer_id,
  CONCAT_WS(' ', first_means, 'to', last_means, CAST(attempts AS STRING)) AS detail,
  succeeded AS at_time
FROM payments
MATCH_RECOGNIZE (
  PARTITION BY order_id
  ORDER BY paid_at
  MEASURES
    FIRST(failed.means) AS first_means,
    good.means AS last_means,
    COUNT(failed.payment_id) AS attempts,
    good.paid_at AS succeeded
  ONE ROW PER MATCH
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (failed{3,} good) WITHIN INTERVAL '10' MINUTE
  DEFINE
    failed AS failed.status = 'FAILED',
    good AS good.status = 'OK' AND good.amount > LAST(failed.amount, 1) * 0.5
);

-- An order much larger than the customer's last ones.
INSERT INTO alerts
SELECT 'unusual order', customer_id, CAST(amount AS STRING), order_time
FROM (
  SELECT
    customer_id,
    amount,
    order_time,
    AVG(amount) OVER last_orders AS usual,
    COUNT(*) OVER last_orders AS known
  FROM orders
  WINDOW last_orders AS (
    PARTITION BY customer_id
    ORDER BY order_time
    ROWS BETWEEN 20 PRECEDING AND CURRENT ROW
  )
)
WHERE known > 5 AND amount > 4 * usual;

-- Orders that were paid within an hour, by means.
SELECT
  p.means,
  o.channel,
  COUNT(*) AS paid,
  SUM(p.amount) AS total,
  AVG(TIMESTAMPDIFF(SECOND, o.order_time, p.paid_at)) AS seconds_to_pay
FROM orders AS o
JOIN payments AS p
  ON o.order_id = p.order_id
  AND p.paid_at BETWEEN o.order_time AND o.order_time + INTERVAL '1' HOUR
WHERE p.status = 'OK'
GROUP BY p.means, o.channel
HAVING COUNT(*) > 3;

-- The three best articles of each hour.
SELECT window_start, window_end, sku, sold, place
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY sold DESC, sku) AS place
  FROM (
    SELECT window_start, window_end, sku, SUM(quantity) AS sold
    FROM TABLE(
      HOP(TABLE order_lines, DESCRIPTOR(order_time), INTERVAL '15' MINUTE, INTERVAL '1' HOUR)
    )
    GROUP BY window_start, window_end, sku
  )
)
WHERE place <= 3;

-- Which campaigns lead to orders.
WITH visits AS (
  SELECT customer_id, campaign, device, COUNT(*) AS pages, MAX(click_time) AS last_seen
  FROM clean_clicks
  WHERE campaign IS NOT NULL
  GROUP BY customer_id, campaign, device
),
buyers AS (
  SELECT customer_id, COUNT(*) AS bought, SUM(euro) AS spent
  FROM orders_in_euro
  GROUP BY customer_id
)
SELECT v.campaign, v.device, COUNT(*) AS visitors, COUNT(b.customer_id) AS buyers, SUM(b.spent) AS spent
FROM visits AS v
LEFT JOIN buyers AS b ON v.customer_id = b.customer_id
WHERE EXISTS (SELECT 1 FROM customers AS c WHERE c.customer_id = v.customer_id AND c.tier <> 'blocked')
GROUP BY v.campaign, v.device;

-- Orders whose last payment is not good, whatever the reason.
SELECT o.order_id, o.customer_id, l.status, l.means, o.amount, l.amount AS paid
FROM orders AS o
LEFT JOIN latest_payment AS l ON o.order_id = l.order_id
WHERE l.status IS DISTINCT FROM 'OK'
  AND o.customer_id NOT IN (SELECT customer_id FROM customers WHERE tier = 'gold')
UNION ALL
SELECT order_id, customer_id, 'REFUND', channel, amount, CAST(0 AS DECIMAL(12, 2))
FROM orders
WHERE attributes['refund'] = 'yes' AND CARDINALITY(items) > 0;
