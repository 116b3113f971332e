/** One small picture with something of everything: the second night of a fleet, for the golden tables. */
import type { Finding, GroupFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { at, exemption, incomplete, instrument, mac, nights, pc, slot, source } from '../core/make-facts.ts';

function groups(installed: readonly string[], notInstalled: readonly string[]): GroupFacts[] {
  return [
    { holds: 'Installed', name: 'Agent Installed', members: installed },
    { holds: 'Not Installed', name: 'Agent Not Installed', members: notInstalled },
  ];
}

const attribute: Finding = { ...instrument('pass'), found: 'enabled', advice: '' };
const profile: Finding = {
  ...{ check: 'profile', result: 'fail', expected: '=SUM(1)', found: 'two,\n"quoted"', instrument: false },
  advice: 'Install it again.',
};

const unmanaged = { managementState: 'unmanaged' };
const comesBack = { serialNumber: 'C02SAME' };
const fleet = [
  mac('1', 'Installed', { user: 'ada', osVersion: '15.2.0', model: 'MacBook Pro', enrolledAt: at(1, -200) }),
  mac('2', 'Not Installed', { reportedAt: at(1, -40) }),
  mac('9', 'Installed', comesBack),
];
const later = [
  mac('1', 'Not Installed', { user: 'ada', osVersion: '15.2.1', model: 'MacBook Pro', enrolledAt: at(1, -200) }),
  mac('2', 'Not Installed', { reportedAt: at(1, -40) }),
  mac('10', 'Installed', comesBack),
  mac('11', null, { name: '=HYPERLINK("http://c/","x")' }),
  mac('12', 'Installed 7.1', { name: 'Zoë’s “Mac”, the 2nd\nline' }),
  mac('13', 'Installed', unmanaged),
];
const tenant = [
  pc('a'),
  pc('b', '3'),
  pc('c', '2', { answers: [{ value: '2', at: at(1, -2), detail: 'error -2016345060 (0x87D1041C)' }] }),
  pc('d', '-1'),
];
const later2 = [
  pc('a', '4'),
  pc('b', '1'),
  pc('c', '2', { answers: [{ value: '2', at: at(1, -2), detail: 'error -2016345060 (0x87D1041C)' }] }),
  pc('d', '-1', { managementState: 'retireIssued' }),
  pc('e', null, { lastSeenAt: at(1, -31) }),
  pc('f', '1', {
    answers: [
      { value: '1', at: at(1, -9) },
      { value: '3', at: at(1, -2) },
    ],
  }),
  pc('g', '5', { serialNumber: 'PF0Xc', lastSeenAt: at(1, -9) }),
];

export function picture(): Night {
  const [, night] = nights(
    {
      sources: [
        source('macs', fleet, { findings: [attribute], groups: groups(['1', '9'], ['2']) }),
        source('windows', tenant),
        source('windows-2', [pc('z')]),
      ],
    },
    {
      sources: [
        source('macs', later, { findings: [attribute, profile], groups: groups(['10', '13', '99'], ['1']) }),
        source('windows', later2),
        incomplete('windows-2'),
      ],
      exemptions: [
        exemption('serial', 'PF0Xb', { expires: slot(10), reason: '@home, until it is replaced' }),
        exemption('device_id', 'nobody'),
        exemption('user', 'user-a@example.com', { owner: '' }),
        exemption('device_id', '2', { expires: slot(1) }),
      ],
    },
  );
  if (night === undefined) {
    throw new Error('no second night');
  }
  return night;
}
