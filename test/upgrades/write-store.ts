/**
 * Writes the small store that every later version must read, verify, rebuild and carry on: three nights, the second of
 * which is carried for the Macs. Run once a release: `node test/upgrades/write-store.ts test/upgrades/stores/<version>`.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { composeParts } from '../../src/compose/parts.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { createSecretReader } from '../../src/compose/secrets.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { readRunContext } from '../../src/run/run-context.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';

const folder = resolve(process.argv[2] ?? 'muster-store');
const nights = [
  { slot: '2026-11-01', faults: [] },
  { slot: '2026-11-02', faults: ['jamf/down:lasting'] },
  { slot: '2026-11-03', faults: [] },
];
const momentOn = (slot: string) => new Date(`${slot}T05:15:00Z`);

await rm(folder, { recursive: true, force: true });
const sandbox = await startSandbox({ devices: 150, moment: momentOn('2026-11-01') });
// Nobody listens there, so that messages wait in the store for a later version to deliver them.
const environment = { ...sandbox.environment, WEBHOOK: 'http://127.0.0.1:9/muster' };
const yaml = `${sandbox.settings().replace('./muster-data', '.')}exemptions: exemptions.csv
alerts: { channels: [{ type: webhook, url: env:WEBHOOK }] }
`;
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'muster.yaml'), yaml);
await writeFile(
  join(folder, 'exemptions.csv'),
  'match,value,source,reason,owner,expires\ndevice_id,110,macs,Loaned to a museum,Ada Example,2027-01-01\n',
);
const { settings } = readSettings(yaml, environment);
if (settings === undefined) {
  throw new Error('The settings of the sandbox are not valid.');
}
for (const { slot, faults } of nights) {
  const moment = momentOn(slot);
  sandbox.setMoment(moment);
  sandbox.setFaults(faults);
  const started = systemClock.elapsed();
  const parts = await composeParts(settings, {
    secret: createSecretReader(environment),
    folder,
    clock: {
      now: () => new Date(moment.getTime() + (systemClock.elapsed() - started)),
      elapsed: systemClock.elapsed,
      sleep: (milliseconds, signal) => systemClock.sleep(Math.min(milliseconds / 50, 100), signal),
    },
    signal: new AbortController().signal,
  });
  const { exit } = await runNight({ slot, moment, readRunContext: () => readRunContext(settings, folder) }, parts);
  process.stdout.write(`${slot} exit ${exit}\n`);
}
await sandbox.close();
