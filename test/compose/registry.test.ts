/** Everything that stands in a registry has what belongs to it elsewhere: what is forgotten is named here. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSimulator } from '../../simulator/simulator.ts';
import { channelKinds } from '../../src/alerts/channel-kinds.ts';
import { openStore, storeOpeners } from '../../src/compose/parts.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { sourceKinds } from '../../src/compose/source-kinds.ts';
import { reasons } from '../../src/core/facts/vocabulary.ts';
import { kindsUnderTest, rulesUnderTest } from '../kinds.ts';
import { kindModels } from '../model/kinds.ts';

const root = join(import.meta.dirname, '..', '..');
const readText = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');

describe.each(kindsUnderTest)('the kind $kind.kind', ({ kind: { kind, rules }, tests }) => {
  it('has a test that holds it to the contract of sources', () => {
    expect(readText(`${tests}/contract.test.ts`)).toMatch(/^sourceContract\(/m);
  });

  it('has its place in the model', () => {
    expect(Object.keys(kindModels)).toContain(kind);
  });

  it('has a title for each operating system, and the same as the other kinds', () => {
    expect(rulesUnderTest.operatingSystemTitles).toMatchObject(rules.operatingSystems);
  });
});

describe.each(sourceKinds)('the kind $kind, which settings may name,', ({ kind, title }) => {
  it('has its settings in docs/settings.md', () => {
    expect(readText('docs/settings.md')).toContain(`<!-- settings: ${kind} -->`);
  });

  it('has a table of its permissions in docs/connect.md, below its title', () => {
    const sections = readText('docs/connect.md').split(/^## /m);
    const [own = ''] = sections.filter((section) => section.startsWith(`${title}\n`));
    expect(own).toMatch(/^\| (privilege|permission) \| why \|$/m);
  });

  it('asks at `muster init` for nothing that no option of the command line answers', () => {
    const files = globSync(`src/sources/${kind}/init/*.ts`, { cwd: root }).map(readText);
    const asked = [...files.join('').matchAll(/\boption: '([a-z-]+)'/g)].map(([, option]) => option ?? '');
    expect(asked).not.toEqual([]);
    expect(asked.filter((option) => !readText('src/cli.ts').includes(`.option('--${option} <`))).toEqual([]);
  });

  it('has a simulator, whose settings name it', async () => {
    const simulator = await startSimulator({ devices: 2 });
    const settings = simulator.settings();
    await simulator.close();
    expect(readSettings(settings).settings?.sources.map(({ platform }) => platform)).toContain(kind);
  });
});

/** That a type has its contract test, the compiler demands: test/alerts/channel-subjects.ts has a table by type. */
it.each(channelKinds)('the channel $type has its section in docs/alerts.md, with settings', ({ type }) => {
  const [, sections = ''] = readText('docs/alerts.md').split('## Setting up channels');
  expect(sections).toMatch(new RegExp(`\\{ type: ${type}, `));
});

it('every reason is one that the rules of a kind can give', () => {
  const given = sourceKinds.flatMap(({ rules: { words, silent, blank, other, elsewhere } }) =>
    [...words.values(), silent, blank, other, elsewhere?.verdict].map((verdict) => verdict?.reason),
  );
  // Whatever the kind, a device may be unread.
  expect(Object.keys(reasons).filter((reason) => reason !== 'unread' && !given.some((one) => one === reason))).toEqual(
    [],
  );
});

it.each(['gs://bucket/runs', 's3//bucket', 's3:bucket', '//bucket', 'S3://bucket'])(
  'a store named %s on the command line is refused, not made as a folder',
  async (place) => {
    await expect(openStore(place, '.')).rejects.toMatchObject({ code: 'settings-invalid' });
  },
);

describe.each(Object.keys(storeOpeners))('the store %s', (store) => {
  it('has a test that holds it to the contract of stores', () => {
    expect(readText(`test/storage/${store}.test.ts`)).toMatch(/^storeContract\(/m);
  });

  it('has its section in docs/keeping.md', () => {
    expect(readText('docs/keeping.md')).toContain(`<!-- store: ${store} -->`);
  });
});
