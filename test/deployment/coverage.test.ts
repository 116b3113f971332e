/** docs/coverage.md against the code: nothing checked, rendered or tested that it does not name, and the other way round. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { artifacts } from '../../src/deployment/artifacts/catalogue.ts';
import { checkDefinitions } from '../../src/deployment/catalogue.ts';
import { prerequisites } from '../../src/deployment/definition.ts';
import { emptyDeploymentSettings } from '../../src/deployment/deployment-settings.ts';
import { checkMacos, emptyMacosReading } from '../../src/deployment/macos-checks.ts';
import { checkWindows, emptyWindowsReading } from '../../src/deployment/windows-checks.ts';

const root = join(import.meta.dirname, '..', '..');
const coverage = readFileSync(join(root, 'docs', 'coverage.md'), 'utf8');
const settings = readFileSync(join(root, 'docs', 'settings.md'), 'utf8');

const at = { slot: '2026-11-20', moment: new Date('2026-11-20T05:15:00Z') };
const input = { settings: emptyDeploymentSettings, attribute: '', server: '', ...at };
const checks = new Set(
  [...checkMacos(input, emptyMacosReading), ...checkWindows(emptyDeploymentSettings, emptyWindowsReading, at)].map(
    ({ check }) => check,
  ),
);

describe('docs/coverage.md', () => {
  it.each([...checks, 'windows.package'])('names the check %s', (check) => {
    expect(coverage).toContain(`\`${check}\``);
  });

  it('names no check that there is not', () => {
    const named = [...coverage.matchAll(/`((?:macos|windows|service|prerequisite)\.[a-z-]+)`/g)].map(
      (match) => match[1] ?? '',
    );
    const data = /^windows\.(script|installer|roles|powershell|parameters|role|programs|detection|intent|logs)$/;
    expect(named.filter((name) => !checks.has(name) && name !== 'windows.package' && !data.test(name))).toEqual([]);
  });

  it.each(artifacts)('names the artifact $name', ({ name }) => {
    expect(coverage).toContain(`\`${name}\``);
  });

  it.each(prerequisites)('names the prerequisite $id, and so do the settings', ({ id }) => {
    expect(coverage).toContain(`\`${id}\``);
    expect(settings).toContain(`\`deployment.attested.${id}\``);
  });

  it('lists the blind spots of every check, as the catalogue has them', () => {
    const checksOf = new Map<string, string[]>();
    for (const [check, { blindSpot }] of Object.entries(checkDefinitions)) {
      checksOf.set(blindSpot, [...(checksOf.get(blindSpot) ?? []), `\`${check}\``]);
    }
    const rows = [...checksOf].map(([blindSpot, of]) => `| ${of.join(', ')} | ${blindSpot} |`);
    const [, listed = ''] = /<!-- blind spots -->\n([\s\S]*?)<!-- \/blind spots -->/.exec(coverage) ?? [];
    expect(listed).toBe(`${['| check | what it does not see |', '|---|---|', ...rows].join('\n')}\n`);
    expect(Object.keys(checkDefinitions).sort()).toEqual([...checks, 'windows.package'].sort());
  });

  it('names tests that there are', () => {
    const last = [...coverage.matchAll(/\| ([^|\n]*) \|$/gm)].flatMap((match) => [
      ...(match[1] ?? '').matchAll(/`([a-z]+)`/g),
    ]);
    const tests = new Set(last.map((match) => match[1] ?? ''));
    expect(tests.size).toBeGreaterThan(6);
    expect([...tests].filter((name) => !existsSync(join(import.meta.dirname, `${name}.test.ts`)))).toEqual([]);
  });

  it.each([
    'Install-Agent.ps1',
    'fhfs.exe',
    'fhfs.pkg',
    'bundle.dat',
    'fhagent',
    'fhtools',
    '-fqdn',
    '-ApiKey',
    '-circleid',
    '-MemberRoleId',
    'mdmUser',
    'mdmPass',
    'mdmHost',
    'serviceHost',
    'apiKey',
    'circleId',
    'enroll.sh',
    'Update Inventory',
    'Company Portal',
    'client logs',
    'not shown',
  ])('has a row for %s', (element) => {
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
