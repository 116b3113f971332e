-- Coverage week by week (Mondays first), for each source and in all, with the number of complete runs.
SELECT
  CAST(date_trunc('week', slot) AS date) AS week, source,
  count(*) AS nights, count_if(soundness = 'complete') AS complete_nights,
  max_by(counted, slot) AS counted_at_end, max_by(not_installed, slot) AS not_installed_at_end,
  min(coverage_low) AS lowest, max_by(coverage, slot) AS coverage_at_end, max(coverage_high) AS highest,
  sum(lost) AS lost, sum(recovered) AS recovered
FROM typed_coverage
GROUP BY CAST(date_trunc('week', slot) AS date), source
ORDER BY week DESC, source
