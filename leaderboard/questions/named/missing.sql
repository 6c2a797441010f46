-- Benchmarks that models lack; those that most models have are first.
WITH filled AS (
    SELECT DISTINCT model_key AS model, benchmark_key AS benchmark
    FROM results WHERE model_key IS NOT NULL AND score IS NOT NULL),
models AS (SELECT model, count(*) AS model_has FROM filled GROUP BY model),
benchmarks AS (SELECT benchmark, count(*) AS benchmark_has FROM filled GROUP BY benchmark)
SELECT model, benchmark, model_has, benchmark_has
FROM models
CROSS JOIN benchmarks
ANTI JOIN filled USING (model, benchmark)
ORDER BY benchmark_has DESC, benchmark, model_has DESC, model
