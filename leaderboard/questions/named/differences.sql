-- Results that were added, removed or changed since the store that --before names.
WITH sides AS (
    SELECT 1 AS side, model_key, benchmark_key, score, samples, source, settings FROM results
    UNION ALL
    SELECT -1, model_key, benchmark_key, score, samples, source, settings FROM before),
changed AS (
    SELECT * EXCLUDE side, sum(side)::BIGINT AS more FROM sides GROUP BY ALL HAVING more <> 0),
numbered AS (
    SELECT model_key AS model, benchmark_key AS benchmark, score, samples, source, settings,
        more > 0 AS is_new, unnest(range(abs(more))) AS copy FROM changed),
-- Results of one model and benchmark are paired in the order of their scores.
paired AS (
    SELECT *, row_number() OVER (PARTITION BY model, benchmark, is_new ORDER BY score) AS place
    FROM numbered)
SELECT CASE WHEN old.place IS NULL THEN 'added' WHEN new.place IS NULL THEN 'removed'
        ELSE 'changed' END AS change,
    model, benchmark, old.score AS before, new.score AS after,
    coalesce(new.samples, old.samples) AS samples, coalesce(new.source, old.source) AS source,
    coalesce(new.settings, old.settings) AS settings
FROM (FROM paired WHERE is_new) AS new
FULL JOIN (FROM paired WHERE NOT is_new) AS old USING (model, benchmark, place)
ORDER BY model, benchmark, change, before, after
