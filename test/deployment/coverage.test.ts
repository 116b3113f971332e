/**
 * docs/coverage.md against the code: nothing checked, rendered or tested that it does not name, and the other way round.
 * Its table of checks is made from them: `npm run test:one test/deployment/coverage.test.ts -- -u`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadArtifacts, sourceKinds } from '../../src/compose/source-kinds.ts';
import type { CheckDescription } from '../../src/deployment/checks/check.ts';
import { packageFolder } from '../../src/deployment/checks/package-folder.ts';
import { prerequisites } from '../../src/deployment/definition.ts';
import { fillBlock } from '../docs/documents.ts';
import { kindsUnderTest } from '../kinds.ts';

const root = join(import.meta.dirname, '..', '..');
const page = join(root, 'docs', 'coverage.md');
const coverage = readFileSync(page, 'utf8');
const settings = readFileSync(join(root, 'docs', 'settings.md'), 'utf8');

const artifacts = await loadArtifacts();
const ofKinds = await Promise.all(sourceKinds.map(({ loadChecks }) => loadChecks()));
const isPrerequisite = ({ id }: CheckDescription) => id.startsWith('prerequisite.');
/** Each once: those of one kind, the one that is made elsewhere, and those that every kind has. */
const catalogue = [
  ...ofKinds.flat().filter((check) => !isPrerequisite(check)),
  packageFolder,
  ...(ofKinds[0] ?? []).filter(isPrerequisite),
];
const checks = new Set(catalogue.map(({ id }) => id));

describe('the catalogue', () => {
  it('names no check twice, and each kind has its instrument', async () => {
    for (const all of await Promise.all(kindsUnderTest.map(({ kind }) => kind.loadChecks()))) {
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      expect(all.some(({ instrument }) => instrument === true)).toBe(true);
      expect(all.filter(isPrerequisite)).toHaveLength(prerequisites.length);
    }
  });

  const folder = join(root, 'src', 'deployment', 'checks');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

  it.each(files)('has every check of %s', async (file) => {
    const exported: unknown[] = Object.values((await import(join(folder, file))) as object);
    const isCheck = (value: unknown): value is CheckDescription =>
      typeof value === 'object' && value !== null && 'judge' in value && 'blindSpot' in value;
    expect(exported.filter(isCheck).filter(({ id }) => !checks.has(id))).toEqual([]);
  });
});

describe('docs/coverage.md', () => {
  it('names no check that there is not', () => {
    const families = new Set([...checks].map((check) => check.split('.')[0] ?? ''));
    const named = [...coverage.matchAll(/`(([a-z]+)\.[a-z-]+)`/g)].flatMap(([, name = '', family = '']) =>
      families.has(family) ? [name] : [],
    );
    const data = /^windows\.(script|installer|roles|powershell|parameters|role|programs|detection|intent|logs)$/;
    expect(named.filter((name) => !checks.has(name) && !data.test(name))).toEqual([]);
  });

  it.each(artifacts)('names the artifact $name', ({ name }) => {
    expect(coverage).toContain(`\`${name}\``);
  });

  it.each(prerequisites)('names the prerequisite $id, and so do the settings', ({ id }) => {
    expect(coverage).toContain(`\`${id}\``);
    expect(settings).toContain(`\`deployment.attested.${id}\``);
  });

  it('lists every check with what it does not see, as the catalogue has them', async () => {
    const rows = [...Map.groupBy(catalogue, ({ blindSpot }) => blindSpot)].map(
      ([blindSpot, same]) => `| ${same.map(({ id }) => `\`${id}\``).join(', ')} | ${blindSpot} |`,
    );
    const table = ['| check | what it does not see |', '|---|---|', ...rows].join('\n');
    await expect(fillBlock(coverage, 'blind spots', table)).toMatchFileSnapshot(page);
  });

  it('names tests that there are', () => {
    const last = [...coverage.matchAll(/\| ([^|\n]*) \|$/gm)].flatMap((match) => [
      ...(match[1] ?? '').matchAll(/`([a-z]+)`/g),
    ]);
    const tests = new Set(last.map((match) => match[1] ?? ''));
    expect(tests.size).toBeGreaterThan(6);
    expect([...tests].filter((name) => !existsSync(join(import.meta.dirname, `${name}.test.ts`)))).toEqual([]);
  });

  const elements = [
    'Install-Agent.ps1, fhfs.exe, fhfs.pkg, bundle.dat, fhagent, fhtools, enroll.sh',
    '-fqdn, -ApiKey, -circleid, -MemberRoleId, mdmUser, mdmPass, mdmHost, serviceHost, apiKey, circleId',
    'Update Inventory, Company Portal, client logs, does not show',
  ];

  it.each(elements.flatMap((some) => some.split(', ')))('has a row for %s', (element) => {
    expect(coverage).toContain(element);
  });
});

it.each([
  'What the service does',
  'Prerequisites',
  'Windows platform',
  'macOS platform',
  'Resources and their fields',
  'States and transitions',
  'Endpoints',
  'Authentication',
  'Events, errors, limits, versioning',
])('has the section of the document: %s', (title) => {
  const headings = coverage.split('\n').filter((line) => line.startsWith('#'));
  expect(headings.some((heading) => heading.endsWith(title))).toBe(true);
});
