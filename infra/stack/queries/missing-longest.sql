-- Who has been missing the agent longest, as of the latest run. "Since" reads "at least since".
SELECT
  device_name, serial_number, "user", source, platform, reason, not_installed_since,
  date_diff('day', not_installed_since, slot) AS days_missing, proven, stale, last_seen_at, device_id
FROM typed_not_installed
WHERE "date" IN (SELECT max("date") FROM coverage)
ORDER BY not_installed_since, source, device_id
LIMIT 500
