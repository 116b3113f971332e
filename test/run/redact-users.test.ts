import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import { type Privacy, redactUsers } from '../../src/run/gathering/redact-users.ts';
import { judgeRun } from '../../src/run/judge-run.ts';
import { findDevice, makeExemption, makeFacts, makePc, makeSource } from '../core/make-facts.ts';

const nobody: ReadonlySet<string> = new Set();
const hash: Privacy = { users: 'hash', key: 'a key of the company' };
const hidden = (user: string) => createHmac('sha256', 'a key of the company').update(user).digest('hex');

function makeRun(exemptions: Facts['exemptions'] = []): Facts {
  const { user: _, ...unowned } = makePc('c');
  const devices = [
    makePc('a', '3', { user: 'ada@example.com' }),
    makePc('b', '3', { user: 'bob@example.com' }),
    unowned,
  ];
  return makeFacts(1, { sources: [makeSource('windows', devices)], exemptions });
}

const users = (redacted: Facts) => redacted.sources.flatMap(({ devices }) => devices.map(({ user }) => user));
const byUser = (user: string, changes = {}) => makeExemption('user', user, { source: 'windows', ...changes });

describe('users', () => {
  it('shown: the facts as they are', () => {
    const redacted = makeRun([byUser('ada@example.com')]);

    expect(redactUsers(redacted, { users: 'show' }, nobody)).toBe(redacted);
  });

  it('left out: no trace of them anywhere', () => {
    const redacted = redactUsers(makeRun(), { users: 'omit' }, nobody);

    expect(users(redacted)).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify(redacted)).not.toMatch(/ada|bob/);
    expect(redacted.sources[0]?.devices.every((one) => !('user' in one))).toBe(true);
  });

  it('hashed: under the key, the same for the same person, nothing for nobody', () => {
    const redacted = redactUsers(makeRun([byUser('ada@example.com')]), hash, nobody);

    expect(users(redacted)).toEqual([hidden('ada@example.com'), hidden('bob@example.com'), undefined]);
    expect(JSON.stringify(redacted)).not.toMatch(/ada|bob/);
    const other = redactUsers(makeRun(), { users: 'hash', key: 'another key' }, nobody);
    expect(users(other)[0]).not.toBe(hidden('ada@example.com'));
  });

  it('of a source that went through here already stay as they are', () => {
    const once = redactUsers(makeRun(), hash, nobody);

    expect(users(redactUsers(once, hash, new Set(['windows'])))).toEqual(users(once));
  });
});

describe.each<[string, Privacy]>([
  ['shown', { users: 'show' }],
  ['hashed', hash],
])('exemptions by user, %s', (_, privacy) => {
  const judged = (...exemptions: Facts['exemptions']) =>
    judgeRun(redactUsers(makeRun(exemptions), privacy, nobody), undefined, sourceRules);

  it('exempt the same devices', () => {
    const night = judged(byUser('ada@example.com'));

    expect(night.devices.map((one) => one.judgement.excludedBecause)).toEqual(['exempt', undefined, undefined]);
    expect(night.exemptions).toMatchObject([{ result: 'active', devices: 1, match: 'user' }]);
  });

  it('come to the same results', () => {
    const sources = [makeSource('windows', [makePc('a', '1', { user: 'ada' }), makePc('b', '1', { user: 'ada' })])];
    const rows = [
      byUser('ada'),
      byUser('nobody'),
      byUser('ada', { source: 'macs' }),
      byUser('ada', { source: '' }),
      byUser('ada', { expires: '2026-05-31' }),
      byUser(''),
      byUser('ada', { owner: '' }),
      makeExemption('device_id', 'a'),
    ];
    const night = judgeRun(
      redactUsers(makeFacts(1, { sources, exemptions: rows }), privacy, nobody),
      undefined,
      sourceRules,
    );

    expect(night.exemptions.map(({ result, devices }) => [result, devices])).toEqual([
      ['ambiguous', 2],
      ['unmatched', 0],
      ['unmatched', 0],
      ['invalid', 0],
      ['expired', 2],
      ['invalid', 0],
      ['invalid', 0],
      ['active', 1],
    ]);
    expect(findDevice(night, 'a').judgement.excludedBecause).toBe('exempt');
    expect(findDevice(night, 'b').judgement.counted).toBe(true);
  });
});

describe('owners of machines on a list', () => {
  const rows = [{ serial: 'C02FX1', owner: 'ada@example.com', note: 'lent to bob', site: 'Vienna' }];
  const lists = { expected: { readAt: '2026-06-01T05:15:00Z', files: [], rows } };
  const redact = (privacy: Privacy) => redactUsers({ ...makeRun(), lists }, privacy, nobody).lists?.expected?.rows;

  it('are shown, hashed, or left out with the notes', () => {
    expect(redact({ users: 'show' })).toEqual(rows);
    expect(redact({ users: 'omit' })).toEqual([{ serial: 'C02FX1', site: 'Vienna' }]);
    expect(redact(hash)).toEqual([{ serial: 'C02FX1', site: 'Vienna', owner: hidden('ada@example.com') }]);
  });
});
