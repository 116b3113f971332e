/** Findings for those who collect them: valid OCSF, stable, and resolved only by what a source said. */
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { changes, exclusions, reasons } from '../../src/core/facts/vocabulary.ts';
import { isVisible } from '../../src/core/text/visible-text.ts';
import { findingsReport } from '../../src/reports/findings.ts';
import { toCopyKeys } from '../../src/storage/keys.ts';
import {
  at,
  judgeRuns,
  makeExemption,
  makeFacts,
  makeFinding,
  makeIncomplete,
  makeMac,
  makePc,
  makeSource,
  slot,
} from '../core/make-facts.ts';
import { hostileNames } from './names.ts';
import { buildComplianceFinding, ocsfVersions } from './ocsf.ts';

const validators = ocsfVersions.map((version) =>
  new Ajv2020({ allErrors: true, strict: false }).compile(buildComplianceFinding(version)),
);

/** A finding says why in the words of the other reports. */
const words = new Set([...Object.keys(reasons), ...Object.keys(exclusions), ...Object.keys(changes)]);

interface Finding {
  readonly activity_id: number;
  readonly status_id: number;
  readonly time: number;
  readonly finding_info: { readonly uid: string; readonly first_seen_time?: number; readonly last_seen_time?: number };
  readonly resources: readonly [{ readonly name: string; readonly owner?: { readonly name: string } }];
  readonly compliance: { readonly status_id: number; readonly status_details: readonly string[] };
}

async function findings(night: Night | undefined): Promise<Finding[]> {
  const lines = (await text(findingsReport.render(night as Night))).split('\n').slice(0, -1);
  const all = lines.map((line) => JSON.parse(line) as Finding);
  for (const one of all) {
    for (const validate of validators) {
      expect(validate(one) || validate.errors).toBe(true);
    }
    expect(one.compliance.status_details.filter((word) => !words.has(word))).toEqual([]);
  }
  return all;
}

const brief = ({ finding_info: info, activity_id: activity, status_id: status, compliance }: Finding) =>
  `${info.uid} ${activity} ${status} ${compliance.status_id} ${compliance.status_details.join()}`;

const yes = 'Installed';
const no = 'Not Installed';
const macs = (one: string, two: string | null = yes) =>
  makeSource('macs', [makeMac('1', one), makeMac('2', two), makeMac('3')]);

describe('findings', () => {
  it('begin with a device that lacks the agent, go on, and close when it has it again', async () => {
    const all = judgeRuns(
      { sources: [macs(yes)] },
      { sources: [macs(no)] },
      { sources: [macs(no)] },
      { sources: [macs(yes)] },
      { sources: [macs(yes)] },
    );
    const lines = await Promise.all(all.map(async (night) => (await findings(night)).map(brief)));
    const key = 'device:macos/C02FX1';
    expect(lines).toEqual([[], [`${key} 1 1 3 reported`], [`${key} 2 1 3 reported`], [`${key} 3 4 1 reported`], []]);
  });

  it('are a warning where nobody could tell, and suppressed where a person excused it', async () => {
    const rows = [makeExemption('device_id', '1')];
    const [night] = judgeRuns({ sources: [macs(no, null)], exemptions: rows });
    expect((await findings(night)).map(brief)).toEqual([
      'device:macos/C02FX1 1 3 3 reported',
      'device:macos/C02FX2 1 1 2 never-reported',
    ]);
  });

  it('close when a device leaves the count, and say why', async () => {
    const wiped = makePc('b', '3', { managementState: 'wipePending' });
    const all = judgeRuns(
      { sources: [makeSource('windows', [makePc('a', '3'), makePc('b', '3'), makePc('c')])] },
      { sources: [makeSource('windows', [wiped, makePc('c')])] },
    );
    expect((await findings(all[1])).map(brief)).toEqual([
      'device:windows/PF0XA 3 4 2 removed',
      'device:windows/PF0XB 3 4 2 retiring',
    ]);
  });

  it('go on when a machine comes back under another id: it is one machine', async () => {
    const serial = { serialNumber: 'C02XY' };
    const all = judgeRuns(
      { sources: [makeSource('macs', [makeMac('1', no, serial), makeMac('9')])] },
      { sources: [makeSource('macs', [makeMac('2', no, serial), makeMac('9')])] },
    );
    const lines = await Promise.all(all.map(async (night) => (await findings(night)).map(brief)));
    expect(lines).toEqual([['device:macos/C02XY 1 1 3 reported'], ['device:macos/C02XY 2 1 3 reported']]);
  });

  it('close where another machine has the record now, and say so', async () => {
    const placeholder = { serialNumber: 'None' };
    const all = judgeRuns(
      {
        sources: [
          makeSource('macs', [
            makeMac('1', no, { serialNumber: 'C02XY' }),
            makeMac('2', no, placeholder),
            makeMac('9'),
          ]),
        ],
      },
      {
        sources: [
          makeSource('macs', [
            makeMac('1', no, { serialNumber: 'C02XY' }),
            makeMac('2', no, { serialNumber: 'C02XY' }),
            makeMac('9'),
          ]),
        ],
      },
    );
    const lines = (await findings(all[1])).map(brief);
    expect(lines).toEqual(['device:macos/C02XY 3 4 2 superseded', 'device:macs/2 2 1 3 reported']);
  });

  it('begin only where the entry of the machine moves on', async () => {
    const serial = { serialNumber: 'C02XY' };
    const here = makeSource('macs', [makeMac('9'), makeMac('5', no, serial)]);
    const there = makeSource('macs-2', [makeMac('8')]);
    const all = judgeRuns(
      {
        sources: [makeSource('macs', [makeMac('9')]), makeSource('macs-2', [makeMac('8'), makeMac('1', yes, serial)])],
      },
      // Nobody can tell what became of the record that stood.
      { sources: [here, { ...there, findings: [makeFinding('fail')] }] },
      { sources: [here, there] },
    );
    const lines = await Promise.all(all.map(async (night) => (await findings(night)).map(brief)));
    expect(lines).toEqual([[], [], ['device:macos/C02XY 1 1 3 reported']]);
  });

  it('close once when their source leaves the settings, and begin anew when it is back', async () => {
    const windows = makeSource('windows', [makePc('a')]);
    const all = judgeRuns(
      { sources: [macs(no), windows] },
      { sources: [windows] },
      { sources: [windows] },
      { sources: [macs(no), windows] },
    );
    const lines = await Promise.all(all.map(async (night) => (await findings(night)).map(brief)));
    const key = 'device:macos/C02FX1';
    expect(lines).toEqual([[`${key} 1 1 3 reported`], [`${key} 3 4 2 removed`], [], [`${key} 1 1 3 reported`]]);
  });

  it.each([
    ['did not answer', () => makeIncomplete('macs')],
    ['measures with something else', () => ({ ...macs(yes), findings: [makeFinding('fail')] })],
    ['lists nothing any more', () => makeSource('macs', [])],
  ])('do not close while a source %s (G6)', async (_, tonight) => {
    const policy = {
      ...makeFacts(1).policy,
      breaker: { maximumFleetDropPercent: 20, maximumFlipPercent: 20, minimumDevices: 1 },
    };
    const all = judgeRuns({ sources: [macs(no)], policy }, { sources: [tonight()], policy });
    expect((await findings(all[1])).filter(({ activity_id: activity }) => activity === 3)).toEqual([]);
  });

  it.each([
    ['untrusted', { findings: [makeFinding('fail')] }],
    ['suspect', {}],
  ])('begin only with a complete answer, not with one that is %s', async (soundness, changes) => {
    const policy = {
      ...makeFacts(1).policy,
      breaker: {
        maximumFleetDropPercent: 20,
        maximumFlipPercent: 20,
        minimumDevices: soundness === 'suspect' ? 1 : 99,
      },
    };
    const lost = { ...macs(no), ...changes };
    const all = judgeRuns(
      { sources: [macs(yes, no)], policy },
      { sources: [lost], policy },
      { sources: [macs(yes, no)], policy },
    );
    expect(all[1]?.sources[0]?.soundness).toBe(soundness);
    const lines = await Promise.all(all.map(async (night) => (await findings(night)).map(brief)));
    // What was open goes on where it is still seen; nothing else opens, and nothing is left open.
    expect(lines[1]?.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([]);
    expect(lines[2]?.filter((line) => line.startsWith('device:macos/C02FX1'))).toEqual([]);
  });

  it('were last seen when the platform last said something, and have a name that can be seen', async () => {
    const [night] = judgeRuns({ sources: [makeSource('macs', [makeMac('1', no, { name: '\u3164\u200d\u2800' })])] });
    const [finding] = await findings(night);
    expect(finding?.finding_info.last_seen_time).toBe(Date.parse(at(1, -1)));
    expect(finding?.resources[0].name).toBe('C02FX1');
  });

  it('have no raw line separator and nothing that turns the direction of text', async () => {
    const [night] = judgeRuns({
      sources: [makeSource('macs', [makeMac('1', no, { name: 'a\u2028b\u0085c\u202ed' })])],
    });
    const lines = await text(findingsReport.render(night as Night));
    expect(lines).not.toMatch(/[\u0085\u2028\u202e]/);
    expect(JSON.parse(lines).resources[0].name).toBe('a\u2028b\u0085c\u202ed');
  });

  it('keep their first day, in milliseconds', async () => {
    const [, , third] = judgeRuns({ sources: [macs(yes)] }, { sources: [macs(no)] }, { sources: [macs(no)] });
    const [finding] = await findings(third);
    expect(finding?.finding_info.first_seen_time).toBe(Date.parse(`${slot(2)}T00:00:00Z`));
    expect(finding?.time).toBe(Date.parse(third?.moment ?? ''));
  });

  it('take any name, a line each [N15]', async () => {
    const devices = hostileNames.map((name, index) => makeMac(String(index), no, { name, user: name }));
    const [night] = judgeRuns({ sources: [makeSource('macs', devices)] });
    const all = await findings(night);
    const found = all.map(({ finding_info: info, resources: [{ name, owner }] }) => [info.uid, name, owner?.name]);
    // A name that shows nothing is no name.
    const shown = (name: string, index: number) => (isVisible(name) ? name : `C02FX${index}`);
    const expected = hostileNames.map((name, index) => [`device:macos/C02FX${index}`, shown(name, index), name]);
    expect(found).toEqual(expected.sort(([left = ''], [right = '']) => (left < right ? -1 : 1)));
  });

  it('are copied for those who collect them, a folder a night', () => {
    expect(toCopyKeys(findingsReport.file, slot(1))).toEqual([
      `findings/date=${slot(1)}/findings.ndjson`,
      'latest/findings.ndjson',
    ]);
  });
});
