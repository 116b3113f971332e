/** A small company all of whose devices, people, models and values bear hostile names. */
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import type { ListFacts } from '../../src/core/facts/lists.ts';
import { compareCodePoints } from '../../src/core/text/order.ts';
import { judgeAfter } from '../judge-after.ts';
import { factsOf } from './fleet.ts';
import { hostileNames } from './names.ts';

/** Every second device lacks the agent; the last night knows all, so that the changes speak of them too. */
export function hostileNight(): Night {
  return judgeAfter(hostileFacts(2), judgeAfter(hostileFacts(1), undefined)).night;
}

function hostileFacts(night: number) {
  const facts = factsOf({ devices: 2, nights: 2 }, night);
  const sources = facts.sources.map((source) => withNames(source, night));
  const exemptions = hostileNames
    .slice(0, 40)
    .map((name) => ({ match: 'serial', value: name, source: '', reason: name, owner: name, expires: '2027-01-01' }));
  return { ...facts, agent: '<b>Agent</b> “&” \u202e', sources, exemptions, lists: { expected: hostileList(facts) } };
}

/** Machines that are enrolled nowhere. */
function hostileList({ moment }: Facts): ListFacts {
  const rows = hostileNames.map((name) => ({ serial: `${name}9`, owner: name, site: name, bought: name, note: name }));
  const file = { name: '=<i>list</i>.csv', rows: rows.length, columns: ['serial'], maxAgeDays: 7, date: moment };
  return { readAt: moment, files: [file], rows };
}

function withNames(source: SourceFacts, night: number): SourceFacts {
  const isMac = source.kind === 'jamf';
  const [pattern] = source.devices;
  const devices = hostileNames.map((name, place): DeviceFacts => {
    const lacks = place % 2 === 0 || (place % 3 === 0 && night === 2);
    const value = isMac ? (lacks ? 'Not Installed' : 'Installed') : lacks ? '3' : '1';
    const hostileValue = place % 7 === 0 ? name : value;
    // Some have not been heard of for long, so that they stand in the list of those.
    const longAgo = { lastSeenAt: '2026-01-02T05:00:00Z', ...(isMac ? { reportedAt: '2026-01-02T05:00:00Z' } : {}) };
    return {
      ...pattern,
      ...(place % 10 === 1 ? longAgo : {}),
      operatingSystem: isMac ? 'macos' : 'windows',
      id: isMac ? String(1000 + place) : name || 'empty',
      name,
      serialNumber: name,
      user: name,
      model: name,
      answers: [{ value: hostileValue, at: '2026-11-18T05:00:00Z', detail: name }],
    };
  });
  const sorted = devices.sort((left, right) => compareCodePoints(left.id, right.id));
  const findings = source.findings.map((finding) => ({
    ...finding,
    found: `<img src=x onerror=canary()> ${finding.found}`,
  }));
  const groups = source.groups.map(({ holds, name }) => ({ holds, name: `<i>${name}</i>`, members: [] }));
  return { ...source, devices: sorted, findings, groups };
}
