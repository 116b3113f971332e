/** What to do about a device that needs action: a sentence for every reason, and for the codes that say more. */
import { expect, it } from 'vitest';
import { reasons } from '../../src/core/vocabulary.ts';
import { findNextStep } from '../../src/reports/page/next-steps.ts';

it.each(['macos', 'windows'])('on %s, every reason has a step of its own', (platform) => {
  const steps = Object.keys(reasons).map((reason) => findNextStep(platform, reason, undefined));
  expect(steps.every((step) => step?.endsWith('.'))).toBe(true);
  expect(new Set(steps).size).toBe(steps.length);
});

it.each([
  ['0x87D1041C', 'Installed, but not detected afterwards'],
  ['install failed (0x87d1041c)', 'Installed, but not detected afterwards'],
  ['0x80070643', 'The installer itself failed'],
  ['exit 1603', 'The installer itself failed'],
  ['11603', 'The installation failed'],
  ['0x80070005', 'Access was denied'],
  ['0x80070003', 'A file or folder was not found'],
  ['0x12345678', 'The installation failed'],
])('the detail %s: %s', (detail, step) => {
  expect(findNextStep('windows', 'install-failed', detail)).toContain(step);
});

it.each(['unmanaged', '__proto__', 'constructor'])('there is none for %s', (word) => {
  expect(findNextStep('windows', word, undefined)).toBeUndefined();
});
