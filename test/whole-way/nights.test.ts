import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../simulator/sandbox.ts';
import { isDeep } from '../sampling.ts';
import { readJson, signInToJamf } from '../simulator/client.ts';
import { changeLine, compare, deviceLine, type Expected, type Truth, truthAt, truthLines } from './roll.ts';
import { momentOf, newFolder, night, openWay, type Row, removeFolders, tableRows, type Way } from './way.ts';

/** Two nights more than something happens on. */
const slots = Array.from({ length: isDeep ? 12 : 10 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`);
const kinds = ['excluded', 'included', 'lost', 'moved', 'new-installed', 'new-not-installed', 'recovered', 'removed'];
const words = ['Installed', 'Not Installed'] as const;

let way: Way;
let folder: string;
let expected: Expected | undefined;
let countedBefore: ReadonlyMap<string, number> | undefined;
const seenKinds = new Set<string>();
const seenVerdicts = new Set<string>();

beforeAll(async () => {
  // So many devices that every kind of change comes by itself within these nights.
  const size = isDeep ? { devices: 1_600, seed: 7 } : { devices: 600, seed: 3 };
  way = await openWay({ ...size, jamf: { pageCap: 120 }, graph: { pageSize: 120 } });
  folder = await newFolder();
});

afterAll(async () => {
  await way.close();
  await removeFolders();
});

/** What happens besides the fleet's ordinary life: a Mac is managed again, and devices fall out of the lists for two nights. */
const incidents: Readonly<Record<string, (sandbox: Sandbox) => void>> = {
  '2026-03-04': (sandbox) => {
    const unmanaged = sandbox.truth().find(({ excluded_because }) => excluded_because === 'unmanaged');
    sandbox.changeDevice('macs', unmanaged?.device_id ?? '', { managed: true });
  },
  '2026-03-07': (sandbox) => sandbox.removeShareOfDevices(3),
  '2026-03-09': (sandbox) => sandbox.restoreDevices(),
};

/** The night on which somebody has spoilt a criterion, and the one on which the server is behind with its groups. */
const spoilt = '2026-03-05';
const behind = '2026-03-06';

function groupOf(sandbox: Sandbox, word: string) {
  const group = sandbox.jamf.groups.find(({ name }) => name === `Agent ${word}`);
  if (group?.criteria[0] === undefined) {
    throw new Error('the sandbox has no such group');
  }
  return { group, criterion: group.criteria[0] };
}

function trouble(sandbox: Sandbox, slot: string): void {
  groupOf(sandbox, 'Installed').criterion.searchType = slot === spoilt ? 'like' : 'is';
  for (const word of words) {
    const lagging = sandbox.truth().filter(({ source }, index) => source === 'macs' && index % 60 === 0);
    groupOf(sandbox, word).group.lagging = slot === behind ? lagging.map(({ device_id }) => Number(device_id)) : [];
  }
}

type Groups = Readonly<Record<(typeof words)[number], ReadonlySet<string>>>;

/** The platform's own groups as they are now, asked for by this test itself. */
async function platformGroups(): Promise<Groups> {
  const get = await signInToJamf(way.sandbox);
  const members = async (id: number) => {
    const body = await readJson(await get(`/api/v3/computer-groups/smart-group-membership/${id}`));
    return new Set((body.members as unknown[]).map(String));
  };
  return { Installed: await members(101), 'Not Installed': await members(102) };
}

interface Picture {
  readonly slot: string;
  readonly truths: readonly Truth[];
  /** What the documented criterion selects, and what the server's groups hold. */
  readonly documented: Groups;
  readonly actual: Groups;
  readonly joined: ReadonlySet<string>;
  readonly left: ReadonlySet<string>;
}

const memberLine = (...cells: readonly string[]): string => cells.join(' | ');

function groupLine(row: Row): string {
  const { source = '', group = '', device_id = '', in_platform_group = '', in_picture = '' } = row;
  return memberLine(source, group, device_id, in_platform_group, in_picture, row.verdict ?? '', row.change ?? '');
}

function expectedMembers({ slot, truths, documented, actual, joined, left }: Picture): string[] {
  const lines: string[] = [];
  const standing = new Set(truths.map(({ source, device_id }) => `${source} ${device_id}`));
  for (const { source, device_id, status } of truths) {
    for (const word of words) {
      const member = `${source} ${device_id} ${word}`;
      const inPicture = status === word;
      const change = joined.has(member) ? 'joined' : left.has(member) ? 'left' : 'stayed';
      if (source === 'windows') {
        if (inPicture || left.has(member)) {
          lines.push(memberLine(source, word, device_id, '', String(inPicture), 'derived', change));
        }
        continue;
      }
      // A group of another criterion is no use for comparing, whoever is in it.
      if (slot === spoilt && word === 'Installed') {
        if (inPicture || left.has(member)) {
          lines.push(memberLine(source, `Agent ${word}`, device_id, '', String(inPicture), 'unknown', change));
        }
        continue;
      }
      const selected = documented[word].has(device_id);
      const held = actual[word].has(device_id);
      if (!inPicture && !held && !left.has(member)) {
        continue;
      }
      const differs = selected ? 'missing' : 'unexpected';
      const verdict = selected !== held ? differs : inPicture && !selected ? 'outside' : 'agrees';
      lines.push(memberLine(source, `Agent ${word}`, device_id, String(held), String(inPicture), verdict, change));
    }
  }
  for (const member of left) {
    const [source = '', device_id = '', ...word] = member.split(' ');
    if (standing.has(`${source} ${device_id}`)) {
      continue;
    }
    const isSpoilt = slot === spoilt && word.length === 1;
    const ofMacs = isSpoilt ? ['', 'unknown'] : ['false', 'agrees'];
    const [held = '', verdict = ''] = source === 'macs' ? ofMacs : ['', 'derived'];
    const group = `${source === 'macs' ? 'Agent ' : ''}${word.join(' ')}`;
    lines.push(memberLine(source, group, device_id, held, 'false', verdict, 'left'));
  }
  return lines.sort();
}

/** The figures counted once more from the devices, and the count explained by who came and went. */
function expectCoverage(coverage: readonly Row[], devices: readonly Row[]): void {
  const counts = new Map<string, number>();
  for (const row of coverage) {
    const mine = devices.filter(({ source }) => row.source === 'all' || source === row.source);
    const counted = mine.filter((device) => device.counted === 'true');
    const among = (wanted: Row) =>
      String(
        counted.filter((device) => Object.entries(wanted).every(([name, value]) => device[name] === value)).length,
      );
    expect(row).toMatchObject({
      soundness: 'complete',
      devices: String(mine.length),
      counted: String(counted.length),
      excluded: String(mine.length - counted.length),
      exempt: '0',
      stale: among({ stale: 'true' }),
      installed: among({ status: 'Installed' }),
      not_installed: among({ status: 'Not Installed' }),
      proven_installed: among({ status: 'Installed', proven: 'true' }),
      proven_not_installed: among({ status: 'Not Installed', proven: 'true' }),
    });
    const before = countedBefore?.get(row.source ?? '') ?? counted.length;
    expect(before + Number(row.joined) - Number(row.left)).toBe(counted.length);
    counts.set(row.source ?? '', counted.length);
  }
  countedBefore = counts;
}

test.each(slots)('the night of %s is what happened to the devices', async (slot) => {
  way.sandbox.setMoment(momentOf(slot));
  incidents[slot]?.(way.sandbox);
  trouble(way.sandbox, '');
  const documented = await platformGroups();
  trouble(way.sandbox, slot);
  const actual = await platformGroups();

  const { exit } = await night(way, folder, slot);
  expect(exit).toBe(0);

  const truths = truthAt(way.sandbox, slot, expected?.roll);
  expected = compare(expected?.roll, truths, slot);
  const devices = await tableRows(folder, slot, 'devices');
  expect(devices.map(deviceLine).sort()).toEqual(truthLines(truths));
  for (const { source, device_id, status, not_installed_since } of devices) {
    const since = expected.roll.since.get(`${source} ${device_id}`);
    expect([device_id, not_installed_since]).toEqual([device_id, status === 'Installed' ? '' : since]);
  }
  const toChase = devices.filter(({ counted, status }) => counted === 'true' && status === 'Not Installed');
  const chased = await tableRows(folder, slot, 'not-installed');
  expect(chased.map(deviceLine).sort()).toEqual(toChase.map(deviceLine).sort());

  const changes = (await tableRows(folder, slot, 'changes')).map(changeLine).sort();
  expect(changes).toEqual(expected.changes);
  const members = (await tableRows(folder, slot, 'groups')).map(groupLine).sort();
  expect(members).toEqual(expectedMembers({ slot, truths, documented, actual, ...expected }));
  expectCoverage(await tableRows(folder, slot, 'coverage'), devices);

  for (const line of changes) {
    seenKinds.add(line.split(' | ')[2] ?? '');
  }
  for (const line of members) {
    seenVerdicts.add(line.split(' | ')[5] ?? '');
  }
});

test('these nights had every kind of change and every verdict on a group', () => {
  expect([...seenKinds].sort()).toEqual(kinds);
  expect([...seenVerdicts].sort()).toEqual(['agrees', 'derived', 'missing', 'outside', 'unexpected', 'unknown']);
});
