/** What leaves users out cannot match by them: refused before any platform is asked, and nothing is published. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { musterHere } from './muster.ts';

const slot = '2026-03-01';
const header = 'match,value,source,reason,owner,expires';
const byUser = 'user,ada@example.com,macs,lab,it,2027-01-01';
const bySerial = 'serial,C02XX00001,,lab,it,2027-01-01';

let simulator: Simulator;
let folder: string;

beforeAll(async () => {
  simulator = await startSimulator({ devices: 8, seed: 7, moment: new Date(`${slot}T05:15:00Z`) });
});
afterAll(() => simulator.close());

async function say(words: readonly string[], users: string, rows: readonly string[]) {
  folder = await mkdtemp(join(tmpdir(), 'muster-privacy-'));
  await writeFile(join(folder, 'exemptions.csv'), `${[header, ...rows].join('\n')}\n`);
  const more = `exemptions: exemptions.csv\nprivacy: { users: ${users} }\n`;
  await writeFile(join(folder, 'muster.yaml'), simulator.settings() + more);
  const asked = simulator.requests.length;
  const { code, errors, output } = await musterHere(words, { folder, environment: simulator.environment });
  const isPublished = existsSync(join(folder, 'muster-data', 'commits'));
  await rm(folder, { recursive: true });
  return { code, errors, output, isPublished, requests: simulator.requests.length - asked };
}

test.each([[['check']], [['run', '--slot', slot]], [['run', '--slot', slot, '--dry-run']]])(
  '%j refuses an exemption by user where users are left out, by its line',
  async (words) => {
    const { code, errors, isPublished, requests } = await say(words, 'omit', [bySerial, byUser]);
    expect([code, isPublished, requests]).toEqual([2, false, 0]);
    expect(errors).toContain('[settings-invalid]');
    expect(errors).toContain('Line 3 of the exemptions matches by user, and privacy.users is omit');
    // Who it is about is in no message.
    expect(errors).not.toContain('ada');
  },
);

test.each([
  ['omit', bySerial],
  ['show', byUser],
])(
  'a run takes another exemption where users are left out, and one by user where they are shown: %s',
  async (users, row) => {
    const { isPublished, errors } = await say(['run', '--slot', slot], users, [row]);
    expect([errors.includes('[settings-invalid]'), isPublished]).toEqual([false, true]);
  },
);
