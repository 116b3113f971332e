/** One small picture with something of everything: the second night of a fleet, for the golden tables. */
import type { CheckResult, GroupFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import {
  at,
  judgeRuns,
  makeExemption,
  makeFinding,
  makeIncomplete,
  makeMac,
  makePc,
  makeSource,
  slot,
} from '../core/make-facts.ts';

function groups(installed: readonly string[], notInstalled: readonly string[]): GroupFacts[] {
  return [
    { holds: 'Installed', name: 'Agent Installed', members: installed },
    { holds: 'Not Installed', name: 'Agent Not Installed', members: notInstalled },
  ];
}

const attribute: CheckResult = { ...makeFinding('pass'), found: 'enabled', advice: '' };
const profile: CheckResult = {
  ...{ check: 'profile', result: 'fail', expected: '=SUM(1)', found: 'two,\n"quoted"', instrument: false },
  advice: 'Install it again.',
};

const unmanaged = { managementState: 'unmanaged' };
const comesBack = { serialNumber: 'C02SAME' };
const fleet = [
  makeMac('1', 'Installed', { user: 'ada', osVersion: '15.2.0', model: 'MacBook Pro', enrolledAt: at(1, -200) }),
  makeMac('2', 'Not Installed', { reportedAt: at(1, -40) }),
  makeMac('9', 'Installed', comesBack),
];
const later = [
  makeMac('1', 'Not Installed', { user: 'ada', osVersion: '15.2.1', model: 'MacBook Pro', enrolledAt: at(1, -200) }),
  makeMac('2', 'Not Installed', { reportedAt: at(1, -40) }),
  makeMac('10', 'Installed', comesBack),
  makeMac('11', null, { name: '=HYPERLINK("http://c/","x")' }),
  makeMac('12', 'Installed 7.1', { name: 'Zoë’s “Mac”, the 2nd\nline' }),
  makeMac('13', 'Installed', unmanaged),
];
const tenant = [
  makePc('a'),
  makePc('b', '3'),
  makePc('c', '2', { answers: [{ value: '2', at: at(1, -2), detail: 'error -2016345060 (0x87D1041C)' }] }),
  makePc('d', '-1'),
];
const later2 = [
  makePc('a', '4'),
  makePc('b', '1'),
  makePc('c', '2', { answers: [{ value: '2', at: at(1, -2), detail: 'error -2016345060 (0x87D1041C)' }] }),
  makePc('d', '-1', { managementState: 'retireIssued' }),
  makePc('e', null, { lastSeenAt: at(1, -31) }),
  makePc('f', '1', {
    answers: [
      { value: '1', at: at(1, -9) },
      { value: '3', at: at(1, -2) },
    ],
  }),
  makePc('g', '5', { serialNumber: 'PF0Xc', lastSeenAt: at(1, -9) }),
];

export function picture(): Night {
  const [, night] = judgeRuns(
    {
      sources: [
        makeSource('macs', fleet, { findings: [attribute], groups: groups(['1', '9'], ['2']) }),
        makeSource('windows', tenant),
        makeSource('windows-2', [makePc('z')]),
      ],
    },
    {
      sources: [
        makeSource('macs', later, { findings: [attribute, profile], groups: groups(['10', '13', '99'], ['1']) }),
        makeSource('windows', later2),
        makeIncomplete('windows-2'),
      ],
      exemptions: [
        makeExemption('serial', 'PF0Xb', { expires: slot(10), reason: '@home, until it is replaced' }),
        makeExemption('device_id', 'nobody'),
        makeExemption('user', 'user-a@example.com', { owner: '' }),
        makeExemption('device_id', '2', { expires: slot(1) }),
      ],
    },
  );
  if (night === undefined) {
    throw new Error('no second night');
  }
  return night;
}
