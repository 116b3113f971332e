/** `report.json`: what docs/report.md promises of it, and its agreement with the tables. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { pageReport } from '../../src/compose/parts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { readAnswerAge, readValue } from '../../src/core/record/judge-record.ts';
import { getReportDocument, jsonReport } from '../../src/reports/document/document.ts';
import type { ReportDocument } from '../../src/reports/document/report-document.ts';
import { buildOverviewSheet } from '../../src/reports/workbook/overview.ts';
import { judgeSource, makeIncomplete, makeMac, makePc, makeSource } from '../core/make-facts.ts';
import { bytesOf, rowsOf } from './csv.ts';
import { badNight, quarter } from './example-nights.ts';
import { nightOf } from './fleet.ts';
import { hostileNight } from './hostile-fleet.ts';

let night: Night;
let report: ReportDocument;

beforeAll(async () => {
  night = quarter(600, 20);
  report = JSON.parse((await bytesOf(jsonReport, night)).toString('utf8'));
});

/** The names in backticks of a section of the documentation. */
async function documented(heading: string): Promise<string[]> {
  const text = await readFile(new URL('../../docs/report.md', import.meta.url), 'utf8');
  const section = text.split(/^#+ /m).find((part) => part.startsWith(heading)) ?? '';
  const names = section.startsWith('A device')
    ? (section.split('\n\n')[1] ?? '')
    : section.replace(/^(\| `\w+`).*$/gm, '$1');
  return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '');
}

describe('report.json', () => {
  it('is the document as it is, also with hostile names [N7]', async () => {
    expect(report).toEqual(JSON.parse(JSON.stringify(getReportDocument(night))));
    const hostile = hostileNight();
    const text = (await bytesOf(jsonReport, hostile)).toString('utf8');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(getReportDocument(hostile))));
    expect(
      JSON.parse((await bytesOf(jsonReport, nightOf({ devices: 0, nights: 1 }))).toString('utf8')).devices,
    ).toEqual([]);
  });

  it('has the fields that are documented, and no other', async () => {
    const names = await documented('`report.json`');
    const known = names.filter((name) => Object.hasOwn(report, name) || name === 'accepted');
    expect([...new Set(known)].sort()).toEqual([...Object.keys(report), 'accepted'].sort());
    const ofDevices = new Set(report.devices.flatMap((device) => Object.keys(device)));
    const device = await documented('A device');
    expect([...ofDevices].filter((name) => !device.includes(name))).toEqual([]);
  });

  it('says version 1', () => {
    expect(report).toMatchObject({ schema: 1, kind: 'muster-report', slot: '2026-11-20', agent: 'Endpoint agent' });
  });

  it('knows of every device that needs action what devices.csv knows', async () => {
    const rows = await rowsOf('not-installed', night);
    const chase = new Map(report.devices.map((device) => [`${device.source}/${device.id}`, device]));
    for (const row of rows) {
      const device = chase.get(`${row.source}/${row.device_id}`);
      expect(device).toMatchObject({
        name: row.device_name,
        status: 'Not Installed',
        reason: row.reason,
        counted: true,
      });
      expect([device?.value ?? '', device?.notInstalledSince, device?.lastSeenAt]).toEqual([
        row.value,
        row.not_installed_since,
        row.last_seen_at,
      ]);
      expect(device?.transitions.length).toBeGreaterThan(0);
    }
  });
});

describe('a source in report.json', () => {
  it('says since when its instrument is the same, and how many values it has measured', () => {
    const [macs, windows] = report.sources;
    expect(macs?.instrument).toMatchObject({ since: '2026-11-11', changed: true });
    const measured = night.devices.filter((device) => device.source === 'macs' && readValue(device) !== undefined);
    const since = measured.filter((device) => (readAnswerAge(device) ?? 0) >= Date.parse('2026-11-11T05:15:00Z'));
    expect(since.length).toBeLessThan(measured.length);
    expect(macs?.values).toMatchObject({ count: measured.length, byPresentInstrument: since.length });
    expect(windows?.instrument).toMatchObject({ since: '2026-11-01', changed: false });
    expect(windows?.values.byPresentInstrument).toBe(windows?.values.count);
  });

  it('names its newest and oldest value, and spreads counted devices over ages', () => {
    for (const source of report.sources) {
      const devices = night.devices.filter((device) => device.source === source.name);
      const times = devices.flatMap((device) => (readValue(device) === undefined ? [] : (readAnswerAge(device) ?? [])));
      const dates = times.map((time) => new Date(time).toISOString()).sort();
      expect([source.values.oldest, source.values.newest]).toEqual([dates[0], dates.at(-1)]);
      const counted = devices.filter((device) => device.judgement.counted).length;
      expect(source.ages.reduce((sum, bucket) => sum + bucket.values, 0)).toBe(counted);
      expect(source.ages.reduce((sum, bucket) => sum + bucket.contacts, 0)).toBe(counted);
    }
  });

  it('says what was wrong with it', () => {
    const bad = getReportDocument(badNight(100));
    expect(bad.sources.map(({ soundness, problem }) => [soundness, problem?.code])).toEqual([
      ['untrusted', 'instrument'],
      ['carried', 'rows-missing'],
    ]);
  });
});

describe('devices that could not be read', () => {
  const macs = Array.from({ length: 12 }, (_, index) => makeMac(String(index + 1)));
  function leaveOut(count: number): Night | undefined {
    const unread = macs.slice(0, count).map(({ id }) => ({ id, operatingSystem: 'macos' }));
    return judgeSource(makeSource('macs', macs), makeSource('macs', macs.slice(count), { unread })).at(-1);
  }

  it.each([
    [2, 'macs answered in full but for mac-1 (C02FX1), mac-2 (C02FX2).'],
    [11, 'mac-8 (C02FX8), and 1 more.'],
  ])('are named in one sentence of the page and the workbook, and are in the document: %i', async (count, sentence) => {
    const partial = leaveOut(count) as Night;
    const page = (await bytesOf(pageReport, partial)).toString('utf8').replaceAll(/<[^>]*>/g, '');
    const sheet = buildOverviewSheet(partial).lines.flat().flat();
    expect(page).toContain(sentence);
    expect(page).toMatch(/Do firstmacs: (?:Each|1 was|\d).+ Open each on the platform/);
    expect(sheet).toContainEqual(expect.stringContaining(sentence));
    expect(getReportDocument(partial).devices.map(({ reason }) => reason)).toEqual(Array(count).fill('unread'));
  });
});

describe('a group of report.json', () => {
  it('is Muster’s own where the platform has none, also of a night that is carried', () => {
    const carried = judgeSource(makeSource('windows', [makePc('a')]), makeIncomplete('windows')).at(-1) as Night;
    const groups = getReportDocument(carried).groups.map(({ onPlatform, problem }) => [onPlatform, problem]);
    expect(groups).toEqual([[false, undefined]]);
  });

  it('is not said to be the platform’s where nobody could read it, and says why', async () => {
    const unread = nightOf({
      devices: 60,
      nights: 1,
      happens: (facts) => ({
        ...facts,
        sources: facts.sources.map((source) => ({
          ...source,
          groups: source.groups.map(({ holds, name }) => ({ holds, name, problem: 'it answered 403' })),
        })),
      }),
    });
    const { groups } = getReportDocument(unread);
    const rows = await rowsOf('groups', unread);
    expect(groups.map(({ source, onPlatform, problem }) => [source, onPlatform, problem])).toEqual([
      ['macs', undefined, 'it answered 403'],
      ['macs', undefined, 'it answered 403'],
      ['windows', false, undefined],
      ['windows', false, undefined],
    ]);
    expect(new Set(rows.filter(({ source }) => source === 'macs').map(({ why }) => why))).toEqual(
      new Set(['it answered 403']),
    );
    const page = (await bytesOf(pageReport, unread)).toString('utf8');
    expect(page).toMatch(/2 groups or checks could not be read; the number does not depend on them/);
    expect(page).toMatch(/id="unread".*group Agent Installed.*it answered 403/s);
  });
});

describe('the trend', () => {
  it('has the nights that were published, for all and each platform, with marks', () => {
    expect(report.trend.map(({ platform }) => platform)).toEqual(['all', 'macos', 'windows']);
    const [all, macs, windows] = report.trend;
    expect(all?.nights).toHaveLength(night.state.history.length);
    expect(all?.nights.map(({ slot }) => slot)).not.toContain('2026-11-03');
    expect(
      macs?.nights.filter(({ instrumentChanged }) => instrumentChanged.length > 0).map(({ slot }) => slot),
    ).toEqual(['2026-11-11']);
    expect(windows?.nights.flatMap(({ instrumentChanged }) => instrumentChanged)).toEqual([]);
  });

  it('ends after 90 days', () => {
    const history = Array.from({ length: 200 }, (_, day) => {
      const moment = new Date(Date.UTC(2026, 4, 5 + day)).toISOString();
      return { slot: moment.slice(0, 10), moment, coverage: night.coverage };
    });
    const long = getReportDocument({ ...night, state: { ...night.state, history } });
    expect(long.trend[0]?.nights).toHaveLength(90);
    expect(long.trend[0]?.nights.at(-1)?.slot).toBe('2026-11-20');
  });
});
