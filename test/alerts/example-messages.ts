/** Messages for tests: a run with an event of nearly every kind, and runs of any number of names. */
import { measureScope } from '../../src/alerts/message/channel-scope.ts';
import { type AlertMessage, buildRunMessage } from '../../src/alerts/message/digest.ts';
import type { Policy } from '../../src/core/facts/company.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
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
  no,
  slot,
  yes,
} from '../core/make-facts.ts';

const policy: Policy = {
  ...makeFacts(1).policy,
  overdueAfterDays: 2,
  minimumCoverage: 99,
  breaker: { maximumFleetDropPercent: 20, maximumFlipPercent: 20, minimumDevices: 1_000_000 },
};
const link = 'https://reports.example.com/report/date=2026-06-04/index.html';

function macs(night: number, values: Readonly<Record<string, string>>, fails = false) {
  const devices = Object.entries(values).map(([id, value]) =>
    makeMac(id, value, { reportedAt: at(night, -0.1), user: `user-${id}@example.com` }),
  );
  const finding = { ...makeFinding(fails ? 'fail' : 'pass'), check: 'policy', instrument: false };
  return makeSource('macs', devices, { findings: [makeFinding('pass'), finding] });
}

export function busyNight(): Night {
  const row = makeExemption('device_id', 'nobody');
  const all: Partial<Facts>[] = [
    {
      sources: [macs(1, { 1: yes, 2: yes, 3: yes, 4: yes, 5: yes }), makeSource('windows', [makePc('a'), makePc('b')])],
      policy,
    },
    {
      sources: [macs(2, { 1: yes, 2: yes, 3: no, 4: no, 5: no }), makeSource('windows', [makePc('a'), makePc('b')])],
      policy,
    },
    {
      sources: [macs(3, { 1: yes, 2: yes, 3: no, 4: no, 5: no }), makeSource('windows', [makePc('a'), makePc('b')])],
      policy,
    },
    {
      sources: [
        macs(4, { 1: no, 2: yes, 3: no, 5: yes, 6: no }, true),
        makeIncomplete('windows'),
        makeSource('macs-2', [makeMac('9', no)]),
      ],
      policy,
      exemptions: [row],
      undelivered: [{ channel: 'slack', since: slot(3) }],
    },
  ];
  return last(judgeRuns(...all));
}

/** A run in which every device of these names lost the agent. */
export function lostNight(names: readonly string[]): Night {
  const devices = (value: string, night: number) =>
    names.map((name, index) =>
      makeMac(String(index), value, { name, serialNumber: name, user: name, reportedAt: at(night, -0.1) }),
    );
  return last(
    judgeRuns(
      ...[yes, no].map((value, index) => ({ sources: [makeSource('macs', devices(value, index + 1))], policy })),
    ),
  );
}

/** First runs of many sources at once, with the longest names there can be. */
export function manySources(count: number): Night {
  const name = '🦊'.repeat(200);
  const sources = Array.from({ length: count }, (_, index) => {
    const serial = (id: string) => ({ serialNumber: `${index}-${id}-${name}` });
    const ids = Array.from({ length: 20 }, (_, id) => String(id));
    return makeSource(
      `macs-${index}`,
      ids.map((id) => makeMac(id, no, { name, user: name, ...serial(id) })),
    );
  });
  return last(judgeRuns({ sources, policy }));
}

export function buildExampleMessage(night: Night, to: string | undefined = link): AlertMessage {
  return buildRunMessage({ ...night, commit: 1, ...measureScope(night) }, night.events, { link: to });
}

function last(all: readonly Night[]): Night {
  const night = all.at(-1);
  if (night === undefined) {
    throw new Error('no night');
  }
  return night;
}
