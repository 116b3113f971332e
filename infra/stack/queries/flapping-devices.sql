-- Devices that repeatedly lost the agent and got it back: three changes or more in the last 30 days.
SELECT
  source, platform, device_id, max_by(device_name, slot) AS device_name, max_by(serial_number, slot) AS serial_number,
  count_if(change = 'lost') AS times_lost, count_if(change = 'recovered') AS times_recovered,
  min(slot) AS first_change, max(slot) AS last_change
FROM typed_changes
WHERE change IN ('lost', 'recovered') AND slot > (SELECT max(slot) - INTERVAL '30' DAY FROM typed_coverage)
GROUP BY source, platform, device_id
HAVING count(*) >= 3
ORDER BY count(*) DESC, source, device_id
