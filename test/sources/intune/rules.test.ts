import { expect, test } from 'vitest';
import { intuneRules } from '../../../src/sources/intune/rules.ts';

test.each([
  ['1', 'Installed', 'reported', true],
  ['2', 'Not Installed', 'install-failed', true],
  ['3', 'Not Installed', 'reported', true],
  ['4', 'Installed', 'uninstall-failed', false],
  ['5', 'Not Installed', 'install-pending', true],
  ['-1', 'Not Installed', 'not-applicable', false],
  ['99', 'Not Installed', 'state-unknown', false],
])('state %s', (word, status, reason, provable) => {
  expect(intuneRules.words.get(word)).toEqual({ status, reason, provable });
});

test('what is not a known state is never proof, and only no row at all means that nothing was reported', () => {
  const unknownState = { status: 'Not Installed', reason: 'state-unknown', provable: false };
  expect(intuneRules.other).toEqual(unknownState);
  expect(intuneRules.blank).toEqual(unknownState);
  expect(intuneRules.silent).toEqual({ ...unknownState, reason: 'never-reported' });
  expect([...intuneRules.words.keys()]).toHaveLength(7);
});

test('states that may be a machine in use are counted', () => {
  const excluded = intuneRules.exclusions.flatMap((rule) => rule.is);
  for (const state of ['managed', 'retireFailed', 'wipeFailed', 'unhealthy', 'wipeCanceled', 'retireCanceled', 'mdm']) {
    expect(excluded).not.toContain(state);
  }
  expect(intuneRules.exclusions.filter((rule) => rule.onlyCompany).map((rule) => rule.because)).toEqual(['personal']);
});
