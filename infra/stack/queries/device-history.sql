-- One machine, run by run since a date, by its serial number; also under other ids and in other sources.
SELECT
  slot, source, device_id, device_name, status, reason, value, value_at, last_seen_at, proven, stale, counted,
  excluded_because, not_installed_since, answered_on
FROM typed_devices
WHERE lower(trim(serial_number)) = lower(trim(?)) AND "date" >= ?
ORDER BY slot, source, device_id
