/** The directory-joined script through HTTP: the rendered one, or one that a person has accepted. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { directoryTemplates } from '../../src/deployment/script-templates.ts';
import { accepting, type Ground, named, openGround, put } from './ground.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await openGround('macs', { jamf: { identity: 'directory' } });
});
afterEach(() => ground.restore());
afterAll(() => ground.close());

const script = () => named(ground.sandbox.jamf.scripts, 'deploy-directory.sh');
const service = () => ground.sandbox.urls.service;
const rendered = () => directoryTemplates[0].render(service());

async function judge(contents: string, change?: (settings: string) => string) {
  put(script(), { contents });
  return ground.check('macos.script', change);
}

it.each<[string, () => string]>([
  ['as the server has it', () => script().contents],
  ['as it is rendered', rendered],
  ['as an earlier version rendered it', () => directoryTemplates.at(-1)?.render(service()) ?? ''],
  ['without a line break at its end', () => rendered().slice(0, -1)],
  ['with three of them', () => `${rendered()}\r\n\r\n`],
])('the script %s passes', async (_what, contents) => {
  expect(await judge(contents())).toMatchObject({ result: 'pass' });
});

const steps = [
  '#!/bin/bash',
  'curl -fsSo fhfs.pkg SERVICE/download/mac/fhfs.pkg',
  'curl -fsSo bundle.tar.gz SERVICE/download/mac/resources/bundle.dat',
  'mkdir -p /private/var/tmp/fhfs',
  'tar -xzf bundle.tar.gz -C /private/var/tmp/fhfs',
  'sudo installer -verbose -pkg fhfs.pkg -target /',
];
const byHand = (lines: readonly string[]) => () => `${lines.join('\r\n').replaceAll('SERVICE', service())}\r\n`;
const swapped = (one: number, other: number) =>
  byHand(steps.with(one, steps[other] ?? '').with(other, steps[one] ?? ''));
const left = (out: number) => byHand(steps.toSpliced(out, 1));
const changed = (what: string, by: string) => () => rendered().replace(what, by);

describe.each<[string, () => string]>([
  ['the five steps as a vendor writes them', byHand(steps)],
  ['a comment more', changed('set -e', '# Written by Ada.\nset -e')],
  ['a byte-order mark', () => `\uFEFF${rendered()}`],
  ['white space at its end', () => `${rendered()} \n`],
])('another script, harmless: %s', (_what, contents) => {
  it('is unknown until its hash is pasted from the finding into the settings', async () => {
    const finding = await judge(contents());
    expect(finding).toMatchObject({ result: 'unknown', found: expect.stringContaining('a different script') });
    expect(await judge(contents(), accepting(finding))).toMatchObject({
      result: 'pass',
      found: expect.stringContaining('accepted by Ada Example on 2026-03-01'),
    });
  });
});

it.each<[string, () => string, 'fail' | 'unknown']>([
  ['without the package', left(1), 'unknown'],
  ['without the bundle', left(2), 'unknown'],
  ['without the folder', left(3), 'unknown'],
  ['without extracting', left(4), 'unknown'],
  ['without the installer', left(5), 'unknown'],
  ['with the downloads swapped', swapped(1, 2), 'unknown'],
  ['with the installer first', swapped(1, 5), 'unknown'],
  ['from another server', () => directoryTemplates[0].render('https://other.example.com'), 'unknown'],
  ['over plain HTTP', () => directoryTemplates[0].render('http://files.example.com'), 'unknown'],
  ['to another target', changed('-target /', '-target /Volumes/x'), 'unknown'],
  ['into another folder', changed('/private/var/tmp/fhfs', '/tmp/fhfs'), 'unknown'],
  ['silently', changed('-verbose ', ''), 'unknown'],
  ['only spoken of', changed('/usr/bin/curl ', 'echo /usr/bin/curl '), 'unknown'],
  ['without its search for paths', changed(' || searched=$?', ' || searched=1'), 'unknown'],
  ['that cannot be parsed', () => '#!/bin/bash\nif curl; then\n', 'unknown'],
  ['empty', () => '', 'fail'],
])('%s: never passes', async (_what, contents, result) => {
  const { result: judged, found } = await judge(contents());
  expect(contents()).not.toBe(rendered());
  expect({ result: judged, found }).toEqual({ result, found: expect.stringMatching(/a different script|no script/) });
});

it('asks for no package and no parameters in directory mode', async () => {
  const { findings } = await ground.read();
  const results = findings.map(({ check, result }) => [check, result]);
  expect(results).toContainEqual(['macos.policy', 'pass']);
  expect(results).toContainEqual(['macos.policy-parameters', 'not-checked']);
  expect(results.filter(([check]) => check?.startsWith('prerequisite.'))).toEqual([
    ['prerequisite.directory-configured', 'pass'],
    ['prerequisite.circles-configured', 'pass'],
    ['prerequisite.directory-agent', 'pass'],
  ]);
});
