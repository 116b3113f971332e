/** What the core says about a history, as cells. */
import type { Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { JudgedDevice, Night } from '../../src/core/facts/judged.ts';
import type { Entry } from '../../src/core/facts/ledger.ts';
import { findAnswer, readValue, readValueTime } from '../../src/core/record/judge-record.ts';
import { listReadingsToKeep, rememberReadings } from '../../src/run/rerun.ts';
import { type JudgedFacts, judgeAfter } from '../judge-after.ts';
import { rulesUnderTest } from '../kinds.ts';
import { type Cells, formatFacts, makeCells } from './cells.ts';
import type { Side } from './compare.ts';

type AddCells = ReturnType<typeof makeCells>['add'];

/** It remembers what the product would: what published attempts left, and wrong instruments that others saw. */
export function startCore(): Side {
  let before: JudgedFacts | undefined;
  let standing: JudgedFacts | undefined;
  let kept: SourceFacts[] = [];
  return (attempt, isPublished) => {
    if (attempt.slot !== standing?.facts.slot) {
      before = standing;
    }
    const judged = judgeAfter(rememberAttempts(attempt, standing, kept), before, rulesUnderTest);
    if (isPublished) {
      standing = judged;
      kept = [];
    } else if (standing !== undefined) {
      kept = [...kept, ...listReadingsToKeep(judged)];
    }
    return listCoreCells(judged.night);
  };
}

/** The readings of instruments since the published run, and, of the same slot, what that has open. */
function rememberAttempts(facts: Facts, standing: JudgedFacts | undefined, kept: readonly SourceFacts[]): Facts {
  if (standing === undefined || (kept.length === 0 && facts.slot !== standing.facts.slot)) {
    return facts;
  }
  const { sources, openAlerts = [], noticed = [] } = standing.night.state;
  const earlierReadings = rememberReadings(sources, kept, standing.facts);
  return { ...facts, earlierReadings, ...(facts.slot === standing.facts.slot && { openAlerts, noticed }) };
}

function listCoreCells(night: Night): Cells {
  const { cells, add } = makeCells();
  addRun(night, add);
  addRecords(night, add);
  addLists(night, add);
  for (const entry of night.state.ledger) {
    addEntry(entry, add);
  }
  addAlerts(night, add);
  return cells;
}

function addRun(night: Night, add: AddCells): void {
  add('all', '', { 'order of devices': night.devices.map(toKey).join(' ') });
  for (const { name, soundness, first, baseline } of night.sources) {
    add(name, '', { soundness, first, baseline });
  }
  for (const { source, operatingSystem: _platform, ...figures } of night.coverage) {
    add(source, '', figures);
  }
  for (const [index, { result, devices }] of night.exemptions.entries()) {
    add('all', '', { [`exemption ${index + 1}`]: `${result}, ${devices}` });
  }
  if (night.difference !== undefined) {
    const { shares, coverage, low, high } = night.difference;
    const devices = shares.flatMap(({ kind, devices: count }) => (count === undefined ? [] : [[kind, count] as const]));
    const reasons = Object.fromEntries(devices.sort(([left], [right]) => (left < right ? -1 : 1)));
    const sum = (bound: 'coverage' | 'low' | 'high') =>
      shares.reduce((all, share) => all + Math.round(share[bound] * 100), 0);
    const whole = [coverage, low, high].map((points) => Math.round(points * 100)).join();
    const isSum = whole === [sum('coverage'), sum('low'), sum('high')].join();
    add('all', '', { reasons: JSON.stringify(reasons), 'shares add up': isSum });
  }
}

function addRecords(night: Night, add: AddCells): void {
  for (const row of night.devices) {
    const { status, reason, unprovenBecause, stale, counted, excludedBecause, answeredOn } = row.judgement;
    const { expected, reportingAt, silent, isContradicted = false } = row.lists ?? {};
    const { detail } = findAnswer(row) ?? {};
    add(row.source, row.facts.id, {
      ...{ status, reason, value: readValue(row), detail, valueAt: readValueTime(row), stale },
      ...{ unprovenBecause, counted },
      ...{ excludedBecause, answeredOn, 'not installed since': row.judgement.notInstalledSince },
      ...{ expected, reportingAt, silent, isContradicted, facts: formatFacts(row.facts) },
      places: [row.facts.site, row.facts.department].join(),
    });
  }
  for (const check of ['devices.shared-serial', 'devices.contradicted']) {
    for (const { source, found } of listFindings(night, check)) {
      add(source, '', { [`named by ${check}`]: listNamed(source, found) });
    }
  }
  const changes = new Map<string, string[]>();
  for (const { source, device, kind, from, to, reason } of night.changes) {
    const key = JSON.stringify([source, device.id, kind]);
    changes.set(key, [
      ...(changes.get(key) ?? []),
      `${from ?? '-'} > ${to ?? '-'} because ${reason} at ${[device.site, device.department, device.building, device.category].join()}`,
    ]);
    add(source, device.id, { [`change ${kind}`]: changes.get(key)?.sort().join('; ') });
  }
  for (const row of night.groups) {
    add(row.source, row.device.id, {
      [`group ${row.group}`]: `${row.change}, ${row.inPicture}, ${row.inPlatformGroup ?? '?'}, ${row.verdict}`,
    });
  }
}

function listFindings({ sources }: Night, check: string) {
  return sources.flatMap(({ name, findings }) =>
    findings.filter((finding) => finding.check === check).map(({ found }) => ({ source: name, found })),
  );
}

/** The records that a finding names, by their ids or, where they are of another source, by source and id. */
function listNamed(source: string, found: string): string {
  const parts = found.replace(/^[^:]*: /, '').split(/; | and /);
  const more = parts.find((part) => /^\d+ more$/.test(part));
  const named = parts.map((part) => {
    const reference = /\(([^()]*)\)$/.exec(part)?.[1] ?? part.replace(/^[^:]*: /, '');
    return reference.includes('/') ? reference : `${source}/${reference}`;
  });
  return more ? 'many' : named.sort().join(' ');
}

function addLists(night: Night, add: AddCells): void {
  for (const [name, { soundness, machines }] of Object.entries(night.lists)) {
    add('lists', name, { soundness, machines });
  }
  const { expected } = night.lists;
  const unenrolled = expected?.unenrolled?.map(
    ({ serialNumber, until, note }) => `${serialNumber} ${until ?? ''} ${note ?? ''}`,
  );
  add('lists', 'expected', { expected: expected?.expected, unenrolled: unenrolled?.join() });
}

function addEntry(entry: Entry, add: AddCells): void {
  const { name, number, standing, others = [], counted, status, proven = false, isGone = false } = entry;
  const records = [standing, ...others].map(({ source, id }) => `${source}/${id}`).sort();
  add('ledger', name, {
    records: records.join(' '),
    number,
    standing: `${standing.source}/${standing.id}`,
    counted: counted && !isGone,
    ...{ status, proven, 'not installed since': entry.notInstalledSince, 'listed on': entry.listedOn, gone: isGone },
    history: entry.history.map(([from, letter]) => `${from} ${letter}`).join(', '),
  });
}

function addAlerts({ state, events }: Night, add: AddCells): void {
  for (const { key, kind } of (state.openAlerts ?? []).filter((alert) => alert.key.startsWith('device:'))) {
    add('alerts', key, { open: kind });
  }
  for (const { key, kind, phase, text = '', figures } of events) {
    if (key.startsWith('baseline:') && phase === 'notice') {
      add('alerts', key, { event: 'baseline', 'came installed': figures?.hadAgent ?? 0 });
    }
    if (key.startsWith('device:')) {
      const isOfCanary = text.startsWith('It is a canary now');
      const ended = `ended ${isOfCanary ? 'canary' : kind}`;
      add('alerts', key, { event: phase === 'over' ? ended : `opened ${kind}` });
      if (phase === 'over') {
        add('alerts', key, { 'taken by': /see device:(.*)\.$/.exec(text)?.[1] });
      }
    }
  }
}

function toKey({ source, facts }: JudgedDevice): string {
  return `${source}/${facts.id}`;
}
