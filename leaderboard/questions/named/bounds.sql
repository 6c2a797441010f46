-- Scores that are outside of the bounds of their scale, or not finite.
WITH bounded AS (
    -- A binary score without bounds is from 0 to 1.
    SELECT *, score_type = 'binary' AND min_score IS NULL AND max_score IS NULL AS is_plain
    FROM results)
SELECT model_key AS model, benchmark_key AS benchmark, score,
    CASE WHEN is_plain THEN 0 ELSE min_score END AS low,
    CASE WHEN is_plain THEN 1 ELSE max_score END AS high,
    CASE WHEN NOT isfinite(score) THEN 'not a finite number'
         WHEN low > high THEN 'min_score is above max_score'
         WHEN score < low THEN 'below min_score'
         WHEN low = 0 AND high = 1 AND score <= 100 THEN 'above max_score: a percentage?'
         ELSE 'above max_score' END AS problem,
    file, line
FROM bounded
WHERE (NOT isfinite(score) OR score < low OR score > high)
    -- -1 is right for a level that the record calls unknown.
    AND NOT coalesce(score = -1 AND contains(settings, '"has_unknown_level":true'), false)
ORDER BY ALL
