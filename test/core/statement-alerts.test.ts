/** Attestations and acceptances hold a year; before they end, and afterwards, a person hears of it. */
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../src/core/facts.ts';
import type { Night } from '../../src/core/judged.ts';
import { nights, slot } from './world.ts';

const sha256 = '0123456789abcdef'.repeat(4);
const attested = (until: number): Statement => ({
  kind: 'attestation',
  about: 'account-read-only',
  on: '2025-06-20',
  until: slot(until),
});
const accepted = (until: number): Statement => ({
  kind: 'acceptance',
  about: sha256,
  by: 'Ada Example',
  on: '2025-06-20',
  until: slot(until),
});

const said = (night: Night | undefined) =>
  (night?.events ?? [])
    .filter(({ kind }) => kind === 'acceptance.expiring')
    .map(({ key, phase, text }) => `${phase} ${key}: ${text}`);

const run = (...statements: readonly (readonly Statement[])[]) =>
  nights(...statements.map((one) => ({ statements: one })));

const attestation = 'statement:attestation/account-read-only';

describe('a statement', () => {
  it('that ends within 30 days is an event, one that ends later is none', () => {
    expect(run([attested(31)], [attested(32)]).map(said)).toEqual([
      [`first ${attestation}: The attestation account-read-only of 2025-06-20 ends after ${slot(31)}.`],
      [],
    ]);
    expect(run([attested(32)]).flatMap(said)).toEqual([]);
  });

  it('names who accepted, and what', () => {
    expect(run([accepted(2)]).flatMap(said)).toEqual([
      `first statement:acceptance/${sha256}: The acceptance of the script or rule with the SHA-256 0123456789ab…, by Ada Example on 2025-06-20, ends after ${slot(2)}.`,
    ]);
  });

  it('that has ended is another event, and is reminded of by the week', () => {
    const ended = run(...Array.from({ length: 10 }, () => [attested(2)]));
    expect(ended.map((night) => said(night).map((line) => line.split(' ')[0]))).toEqual([
      ['first'],
      [],
      ['first'],
      ...Array.from({ length: 6 }, () => []),
      ['again'],
    ]);
    expect(said(ended[2])[0]).toContain(`ended on ${slot(2)}.`);
  });

  it('that is renewed is resolved under the same key', () => {
    expect(run([attested(3)], [attested(300)]).map(said)[1]).toEqual([
      `over ${attestation}: The attestation account-read-only of 2025-06-20 counts until ${slot(300)}.`,
    ]);
  });

  it('that is removed from the settings is resolved too', () => {
    expect(run([attested(3)], []).map(said)[1]).toEqual([
      `over ${attestation}: It was removed from the settings: attestation account-read-only.`,
    ]);
  });

  it('that stands twice ends with the later one, in whichever order', () => {
    const both = [accepted(3), accepted(300)];
    expect(run(both).flatMap(said)).toEqual([]);
    expect(run(both.toReversed()).flatMap(said)).toEqual([]);
  });
});
