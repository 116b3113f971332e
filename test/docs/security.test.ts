/** What docs/SECURITY.md says of dependencies and tests is so. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import node22Lock from '../infra/oldest-node/package-lock.json' with { type: 'json' };
import { fillBlock } from './documents.ts';

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/SECURITY.md'), 'utf8');
const packages = listPackages(lock.packages);
const shipped = packages.filter(([, { dev }]) => dev !== true);

function listPackages(locked: object): [string, LockedPackage][] {
  return Object.entries(locked as Readonly<Record<string, LockedPackage>>).filter(([path]) => path !== '');
}

function readList(name: string): string[] {
  const [, list = ''] = new RegExp(`<!-- ${name} -->(.*?)<!-- /${name} -->`).exec(text) ?? [];
  return list.replaceAll('`', '').split(', ').sort();
}

/** An address is promised only where the package has it. */
function describeReporting(repository: string | undefined): string {
  return repository === undefined
    ? 'Report a weakness in private, to whoever gave you Muster: this copy comes from no public repository, so it has no form of its own.'
    : `Report a weakness in private, through the "Report a vulnerability" form of the Security tab of <${repository}>. You get an answer within five working days.`;
}

describe('docs/SECURITY.md', () => {
  it('says where a weakness is reported, as package.json does', async () => {
    const { repository }: { readonly version: string; readonly repository?: { readonly url: string } } = manifest;
    const filled = fillBlock(text, 'report', describeReporting(repository?.url));
    await expect(filled).toMatchFileSnapshot(join(root, 'docs/SECURITY.md'));
    expect(describeReporting('https://git.example.com/muster')).toContain('<https://git.example.com/muster>');
  });

  it('names tests that exist', () => {
    const named = [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('lists every licence of what ships', () => {
    const licences = new Set(shipped.map(([path, { license }]) => license ?? `${path} has none`));
    expect([...licences].sort()).toEqual(readList('licences'));
  });

  it('names every package that runs a script when it is installed, and none of them ships', () => {
    const withScript = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(withScript.map(([path]) => path.replace('node_modules/', '')).sort()).toEqual(readList('scripts'));
    expect(withScript.filter(([, { dev }]) => dev !== true)).toEqual([]);
    const allowed = Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed);
    expect(allowed.map(([name]) => name)).toEqual(['node']);
  });

  it('is right that the lockfile pins by hash, and names no registry [K7]', () => {
    const all = [...packages, ...listPackages(node22Lock.packages)];
    expect(all.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
    expect(all.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});
