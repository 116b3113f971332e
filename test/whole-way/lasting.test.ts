import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunOutcome } from '../../src/run/outcome.ts';
import { isDeep, sample } from '../sampling.ts';
import { type Chain, first, openChain, second, third } from './chain.ts';
import { changeLine, compare, deviceLine, truthAt, truthLines } from './roll.ts';
import {
  allTables,
  dropProof,
  night,
  type Row,
  readStandingCommit,
  removeFolders,
  tableRows,
  tableText,
} from './way.ts';

let chain: Chain;

beforeAll(async () => {
  chain = await openChain(third);
});

afterAll(async () => {
  await chain.way.close();
  await removeFolders();
});

const sourceOf = { jamf: 'macs', graph: 'windows' } as const;
type Platform = keyof typeof sourceOf;

interface Harm {
  readonly fault: string;
  readonly code: string;
  /** Part of the sentence that says what happened. */
  readonly says: RegExp;
}

/** Faults that both platforms have, while they last: the source's answer cannot be had at all. */
const common: readonly Harm[] = [
  { fault: 'throttled-bare', code: 'throttled', says: /answered 429.*gave up after 10 min/ },
  { fault: 'reset-mid-body', code: 'request-failed', says: /closed the connection.*Check the address and the network/ },
  { fault: 'truncated-json', code: 'answer-unreadable', says: /Jamf Pro "macs"|"windows"/ },
  { fault: 'hang', code: 'request-timed-out', says: /sent nothing for/ },
  { fault: 'token-expired', code: 'sign-in-refused', says: /answered 401.*Check that/ },
  {
    fault: 'down',
    code: 'request-failed',
    says: /could not be reached.*ECONNRESET.*Check the address and the network/,
  },
];

/** Faults of one platform, and those after which its answer cannot be proved complete. */
const lasting: Readonly<Record<Platform, readonly Harm[]>> = {
  jamf: [
    ...common,
    {
      fault: 'rows-hidden',
      code: 'rows-missing',
      says: /reports \d+ computers but returned \d+ in 6 walks.*run again/,
    },
    {
      fault: 'attribute-renamed',
      code: 'attribute-missing',
      says: /now called "Agent Status \(renamed\)".*in the settings/,
    },
  ],
  graph: [
    ...common,
    { fault: 'rows-hidden', code: 'rows-missing', says: /reports \d+ rows in the report.*but sent \d+.*Run again/ },
    { fault: 'licence-missing', code: 'licence-missing', says: /no active Microsoft Intune licence.*tenantId/ },
    { fault: 'next-link-loops', code: 'paging-broken', says: /next link twice|same device twice/ },
    { fault: 'next-link-elsewhere', code: 'foreign-link', says: /did not follow it/ },
  ],
};

const cases = (['jamf', 'graph'] as const).flatMap((platform) =>
  lasting[platform].map((harm) => ({ platform, ...harm })),
);

/** One of each way in which an answer is missing: what follows a carried night does not depend on its reason. */
const kinds = cases.filter(({ fault }) => /attribute-renamed|rows-hidden|next-link-loops|down/.test(fault));

/**
 * Without the attribute nobody knows what a Mac's script measures: a reading of a wrong instrument, after which only
 * what is reported later is proof.
 */
const spoilsProof = (fault: string) => fault === 'attribute-renamed';

function problemOf({ night: judged }: RunOutcome, source: string) {
  const found = judged?.sources.find(({ name }) => name === source);
  return { soundness: found?.soundness, code: found?.problem?.code, message: found?.problem?.message ?? '' };
}

const ofSource = (text: string, source: string) => text.split('\n').filter((line) => line.split(',')[1] === source);

/** What of a device's row is the platform's answer, or rests on it alone. */
function answerOf({ device_id, value, last_seen_at, status, reason, answered_on, not_installed_since, counted }: Row) {
  return [device_id, value, last_seen_at, status, reason, answered_on, not_installed_since, counted];
}

async function expectCarried(folder: string, failed: string): Promise<void> {
  const mine = ({ source }: Row) => source === failed;
  const carried = (await tableRows(folder, second, 'devices')).filter(mine);
  const baseline = (await tableRows(folder, first, 'devices')).filter(mine);
  expect(carried.map(answerOf)).toEqual(baseline.map(answerOf));
  expect(new Set(carried.map(({ answered_on }) => answered_on))).toEqual(new Set([first]));
  expect((await tableRows(folder, second, 'changes')).filter(mine)).toEqual([]);
  const members = (await tableRows(folder, second, 'groups')).filter(mine);
  const names = failed === 'macs' ? ['Agent Installed', 'Agent Not Installed'] : ['Installed', 'Not Installed'];
  expect(new Set(members.map(({ group }) => group))).toEqual(new Set(names));
  expect(new Set(members.map((member) => `${member.change} ${member.verdict}`))).toEqual(new Set(['stayed unknown']));
}

/** The contract of the sources shows each fault; what is shown here is what a night makes of it. */
test.each(sample(cases, 5))('$platform/$fault: carried, and named [D9, P2]', async ({ platform, ...harm }) => {
  const folder = await chain.afterOneNight();
  const failed = sourceOf[platform];
  const other = failed === 'macs' ? 'windows' : 'macs';
  const outcome = await chain.faulty(folder, second, [`${platform}/${harm.fault}:lasting`]);

  expect(outcome.exit).toBe(3);
  const problem = problemOf(outcome, failed);
  expect(problem).toMatchObject({ soundness: 'carried', code: harm.code });
  expect(problem.message).toMatch(harm.says);
  expect(problem.message).toMatch(/^[A-Z].{15,}[.)] [A-Z].{10,}\.$/);
  expect(problemOf(outcome, other).soundness).toBe('complete');

  await expectCarried(folder, failed);
  for (const table of ['devices', 'changes', 'groups'] as const) {
    const shown = ofSource(await tableText(folder, second, table), other);
    expect(shown).toEqual(ofSource(chain.good(second)[table] ?? '', other));
  }

  // The receipt stands in the commit, with both numbers where rows are missing.
  const commit = await readStandingCommit(folder);
  expect(commit).toMatchObject({ slot: second, exit: 3 });
  const receipt = commit.sources.find(({ name }) => name === failed)?.receipt;
  expect(receipt).toMatchObject({ started: expect.any(String), ended: expect.any(String) });
  if (harm.code === 'rows-missing') {
    const ofReport = [receipt?.answersClaimed, receipt?.answersReceived];
    const [claimed = 0, received = 0] = platform === 'jamf' ? [receipt?.claimed, receipt?.received] : ofReport;
    expect(received).toBeGreaterThan(0);
    expect(received).not.toBe(claimed);
    expect(problem.message).toContain(`reports ${claimed}`);
    expect(problem.message).toMatch(new RegExp(`(returned|sent) ${received}\\b`));
  }
});

test.each(isDeep ? kinds : kinds.slice(0, 1))(
  '$platform/$fault: right again the night after',
  async ({ platform, ...harm }) => {
    const folder = await chain.afterOneNight();
    const failed = sourceOf[platform];
    expect((await chain.faulty(folder, second, [`${platform}/${harm.fault}:lasting`])).exit).toBe(3);

    // Compared with the last good night: nothing is lost on the way, and nothing made up.
    expect((await night(chain.way, folder, third)).exit).toBe(0);
    const truths = truthAt(chain.way.sandbox, third, chain.roll(first));
    const provable = truths.map((truth) =>
      truth.source === failed && spoilsProof(harm.fault) ? { ...truth, proven: false } : truth,
    );
    expect((await tableRows(folder, third, 'devices')).map(deviceLine).sort()).toEqual(truthLines(provable));
    const isMine = (line: string) => line.startsWith(failed);
    const { changes, roll } = compare(chain.roll(first), truths, third);
    for (const { source, device_id, status, not_installed_since } of await tableRows(folder, third, 'devices')) {
      const since = status === 'Installed' ? '' : roll.since.get(`${source} ${device_id}`);
      if (source === failed) {
        expect([device_id, not_installed_since]).toEqual([device_id, since]);
      }
    }
    const told = (await tableRows(folder, third, 'changes')).map(changeLine).sort();
    expect(told.filter(isMine)).toEqual(changes.filter(isMine));
  },
);

test.each(isDeep ? kinds : kinds.slice(-1))(
  '$platform/$fault: the same night run again heals',
  async ({ platform, fault }) => {
    const folder = await chain.afterOneNight();
    expect((await chain.faulty(folder, second, [`${platform}/${fault}:lasting`])).exit).toBe(3);
    const attempt = (await readStandingCommit(folder)).attempt;
    // While the fault lasts, nothing better is to be had and nothing changes.
    const again = await chain.faulty(folder, second, [`${platform}/${fault}:lasting`]);
    expect(again).toMatchObject({ exit: 3, did: 'unchanged' });
    expect((await readStandingCommit(folder)).attempt).toBe(attempt);

    expect((await night(chain.way, folder, second)).exit).toBe(0);
    expect((await readStandingCommit(folder)).replaces).toBe(attempt);
    await expectHealed(folder, second, fault);
    expect((await night(chain.way, folder, third)).exit).toBe(0);
    const later = await allTables(folder, third);
    expect(dropProof(later)).toEqual(dropProof(chain.good(third)));
    if (!spoilsProof(fault)) {
      expect(later).toEqual(chain.good(third));
    }
  },
);

/** As on a night without the fault, but for what nothing proves any more. */
async function expectHealed(folder: string, slot: string, fault: string): Promise<void> {
  const tables = await allTables(folder, slot);
  if (!spoilsProof(fault)) {
    expect(tables).toEqual(chain.good(slot));
    return;
  }
  expect(dropProof(tables)).toEqual(dropProof(chain.good(slot)));
  const proven = (await tableRows(folder, slot, 'devices')).filter((row) => row.proven === 'true');
  expect(new Set(proven.map(({ source }) => source))).toEqual(new Set(['windows']));
}
