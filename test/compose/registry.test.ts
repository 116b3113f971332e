/** Everything that stands in a registry has what belongs to it elsewhere: what is forgotten is named here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../simulator/sandbox.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { sourceKinds } from '../../src/compose/source-kinds.ts';
import { channelTypes } from '../../src/settings/channels.ts';
import { answerReaders } from '../model/answers.ts';

const root = join(import.meta.dirname, '..', '..');
const readText = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');

describe.each(sourceKinds)('the kind $kind', ({ kind, title }) => {
  it('has a test that holds it to the contract of sources', () => {
    expect(readText(`test/sources/${kind}/contract.test.ts`)).toMatch(/^sourceContract\(/m);
  });

  it('has its settings in docs/settings.md', () => {
    expect(readText('docs/settings.md')).toContain(`<!-- settings: ${kind} -->`);
  });

  it('has a table of its permissions in the README, below its title', () => {
    const steps = readText('README.md').split(/^\*\*\d+\. /m);
    const [own = ''] = steps.filter((step) => step.startsWith(`${title}.**`));
    expect(own).toMatch(/^\| (privilege|permission) \| why \|$/m);
  });

  it('has a simulator, whose settings name it', async () => {
    const sandbox = await startSandbox({ devices: 2 });
    const settings = sandbox.settings();
    await sandbox.close();
    expect(readSettings(settings).settings?.sources.map(({ platform }) => platform)).toContain(kind);
  });

  it('has its place in the model', () => {
    expect(Object.keys(answerReaders)).toContain(kind);
  });
});

/** That a type has its contract test, the compiler demands: test/alerts/channels.test.ts has a table by type. */
it.each(channelTypes)('the channel %s has its section in docs/alerts.md, with a message', (type) => {
  expect(readText('docs/alerts.md')).toContain(`<!-- message: ${type} -->`);
});

const stores = readdirSync(join(root, 'src/storage'), { recursive: true, encoding: 'utf8' }).flatMap(
  (file) => /^(\w+)\/\1-store\.ts$/.exec(file)?.[1] ?? [],
);

describe.each(stores)('the store %s', (store) => {
  it('has a test that holds it to the contract of stores', () => {
    expect(readText(`test/storage/${store}.test.ts`)).toMatch(/^storeContract\(/m);
  });

  it('has its section in docs/keeping.md', () => {
    expect(readText('docs/keeping.md')).toContain(`<!-- store: ${store} -->`);
  });
});

it('finds the stores', () => {
  expect(stores.sort()).toEqual(['folder', 's3']);
});
