/**
 * A night of the packaged function in real time: `node bench/function-night.ts [devices] [milliseconds a row]`. Half the
 * devices are Macs, whose server takes that long for each row of a page, as a real one did; Lambda's limits are 900
 * seconds and the memory of serverless.yml.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulatorOptions } from '../simulator/simulator.ts';
import { unpackFunction } from '../test/infra/packaged.ts';
import { answered, eventOf, logLines, momentOf, openCompany } from '../test/lambda/company.ts';

const [devices = 100_000, millisecondsPerRow = 26] = process.argv.slice(2).map(Number);
const slot = '2026-03-01';

const folder = await mkdtemp(join(tmpdir(), 'muster-function-'));
await unpackFunction(folder);
const platforms: SimulatorOptions = {
  devices,
  moment: momentOf(slot),
  async intercept(request, respond) {
    const response = await respond(request);
    const size = request.path.endsWith('/computers-inventory') ? Number(request.query.get('page-size')) : 0;
    await sleep(50 + size * millisecondsPerRow);
    return response;
  },
};
const company = await openCompany(platforms, folder);
try {
  const one = await company.start();
  const began = performance.now();
  const { exit, did } = answered(await one.invoke(eventOf(slot)));
  const seconds = (performance.now() - began) / 1000;
  const memory = logLines(one.log()).findLast((line) => 'MemoryUsed' in line)?.MemoryUsed;
  process.stdout.write(
    `${devices} devices, ${millisecondsPerRow} ms a row: exit ${exit}, ${did}, ${seconds.toFixed(0)} s, ${memory} % of 2,048 MB\n`,
  );
} finally {
  await company.close();
  await rm(folder, { recursive: true });
}
