-- The latest run of every tenant within the last seven days; a tenant that is not here has not published since.
SELECT
  tenant, max(slot) AS last_run, max_by(soundness, slot) AS soundness, max_by(devices, slot) AS devices,
  max_by(counted, slot) AS counted, max_by(not_installed, slot) AS not_installed,
  max_by(coverage_low, slot) AS at_least, max_by(coverage, slot) AS coverage, max_by(coverage_high, slot) AS at_most
FROM typed_tenants_coverage
WHERE source = 'all' AND "date" >= CAST(CAST(current_date - INTERVAL '7' DAY AS date) AS varchar)
GROUP BY tenant
ORDER BY at_least, tenant
