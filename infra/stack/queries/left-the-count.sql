-- What was removed from scope in the last 30 days, and why: the count before, plus what joined, less these, is the count now.
SELECT slot, source, platform, device_id, device_name, serial_number, change, from_status, reason
FROM typed_changes
WHERE change IN ('removed', 'excluded') AND slot > (SELECT max(slot) - INTERVAL '30' DAY FROM typed_coverage)
ORDER BY slot DESC, source, device_id
