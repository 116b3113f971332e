/** Where defects are reported: texts promise an address only where the package has one. */
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { defectSentence, describeDefect, version } from '../../src/base/version.ts';

it('an unexpected error names the address of package.json, and none where it has none', () => {
  const { bugs }: { readonly version: string; readonly bugs?: { readonly url: string } } = manifest;
  expect(version).toBe(manifest.version);
  expect(defectSentence).toBe(describeDefect(bugs?.url));
  expect(describeDefect(undefined)).toBe('This is a defect in Muster.');
  expect(describeDefect('https://git.example.com/issues')).toBe(
    'This is a defect in Muster: please report it at https://git.example.com/issues.',
  );
});
