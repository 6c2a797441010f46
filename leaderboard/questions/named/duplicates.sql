-- Files with the same bytes, files that share a record id, and results with equal scores and settings.
SELECT 'content' AS kind, digest AS what, NULL AS benchmark, NULL AS score,
    list(DISTINCT file ORDER BY file) AS files
FROM results GROUP BY digest HAVING count(DISTINCT file) > 1
UNION ALL
SELECT 'record id', record, NULL, NULL, list(DISTINCT file ORDER BY file)
FROM results WHERE record IS NOT NULL
GROUP BY record HAVING count(DISTINCT digest) > 1
UNION ALL
SELECT 'result', model_key, benchmark_key, score, list(file ORDER BY file)
FROM results WHERE model_key IS NOT NULL AND score IS NOT NULL
GROUP BY model_key, benchmark_key, score, settings
-- A copy of a file has the same record, and is listed above.
HAVING count(DISTINCT coalesce(record, digest)) > 1 OR count(DISTINCT file) < count(*)
ORDER BY ALL
