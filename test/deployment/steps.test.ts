/** The directory-joined script through HTTP: the five documented steps, in order, however they are written. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deployDirectory } from '../../src/deployment/artifacts/scripts.ts';
import { nothingAsked } from '../../src/deployment/deployment-settings.ts';
import { type Ground, named, openGround, put } from './ground.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await openGround('macs', { jamf: { identity: 'directory' } });
});
afterEach(() => ground.restore());
afterAll(() => ground.close());

const script = () => named(ground.sandbox.jamf.scripts, 'deploy-directory.sh');
const lines = () => script().contents.split('\r\n');
const service = () => ground.sandbox.urls.service;

async function judged(contents: string) {
  put(script(), { contents });
  return ground.check('macos.script');
}

describe('five steps in order', () => {
  it.each<[string, () => string]>([
    ['as a vendor writes them', () => script().contents],
    [
      'as they are rendered',
      () => deployDirectory({ agent: '', jamf: undefined, deployment: { ...nothingAsked, service: service() } }),
    ],
    [
      'with whole paths and long options',
      () =>
        script()
          .contents.replace('curl -fsSo fhfs.pkg', '/usr/bin/curl --fail --output fhfs.pkg')
          .replace('-xzf', '--extract --gzip --file'),
    ],
    [
      'with the address in a variable',
      () =>
        script().contents.replaceAll(service(), '"$base"').replace('#!/bin/bash', `#!/bin/bash\nbase='${service()}'`),
    ],
    [
      'with checks in between',
      () =>
        lines()
          .map((line, index) => (index > 0 && line ? `if ! ${line}; then exit 1; fi` : line))
          .join('\n'),
    ],
  ])('%s: pass', async (_what, contents) => {
    expect(await judged(contents())).toMatchObject({ result: 'pass' });
  });

  const swapped = (one: number, other: number) => () => {
    const all = lines();
    [all[one], all[other]] = [all[other] ?? '', all[one] ?? ''];
    return all.join('\n');
  };
  const left = (out: number) => () =>
    lines()
      .filter((_line, index) => index !== out)
      .join('\n');

  it.each<[string, () => string, string]>([
    ['without the package', left(1), 'step 1'],
    ['without the bundle', left(2), 'step 2'],
    ['without the folder', left(3), 'step 3'],
    ['without extracting', left(4), 'step 4'],
    ['without the installer', left(5), 'step 5'],
    ['with the downloads swapped', swapped(1, 2), 'step 2 (download the bundle) is out of order'],
    ['with the installer first', swapped(1, 5), 'out of order'],
    ['from another server', () => script().contents.replaceAll(service(), 'https://other.example.com'), 'step 1'],
    ['over plain HTTP', () => script().contents.replaceAll(service(), 'http://files.example.com'), 'step 1'],
    ['to another target', () => script().contents.replace('-target /', '-target /Volumes/x'), 'step 5'],
    ['into another folder', () => script().contents.replaceAll('/private/var/tmp/fhfs', '/tmp/fhfs'), 'step 3'],
    ['silently', () => script().contents.replace('-verbose ', ''), 'step 5'],
    ['only spoken of', () => script().contents.replaceAll('curl ', 'echo curl '), 'step 1'],
    ['empty', () => '', 'step 1'],
  ])('%s: fail', async (_what, contents, words) => {
    expect(await judged(contents())).toMatchObject({ result: 'fail', found: expect.stringContaining(words) });
  });

  it('that cannot be parsed are unknown', async () => {
    expect(await judged('#!/bin/bash\nif curl; then\n')).toMatchObject({ result: 'unknown' });
  });
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
