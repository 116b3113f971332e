import { expect, it } from 'vitest';
import { jamfRules } from '../../../src/sources/jamf/rules.ts';

it('knows the two documented words and nothing else', () => {
  expect([...jamfRules.words.keys()]).toEqual(['Installed', 'Not Installed']);
  expect([...jamfRules.words].every(([word, verdict]) => verdict.status === word && verdict.provable)).toBe(true);
});

it('counts every other answer as Not Installed, unproven', () => {
  for (const verdict of [jamfRules.silent, jamfRules.blank, jamfRules.other]) {
    expect(verdict).toMatchObject({ status: 'Not Installed', provable: false });
  }
});
