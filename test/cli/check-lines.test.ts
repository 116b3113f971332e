/** The lines that `muster check` prints of findings. */
import { expect, it } from 'vitest';
import { listDoubledSources } from '../../src/cli/check/check-sources.ts';
import { formatFindings } from '../../src/cli/check/findings.ts';
import { judgeOnce, makeMac, makePc, makeSource } from '../core/make-facts.ts';

it('checks that could not be made for one reason are one line', () => {
  const unread = {
    result: 'unknown',
    expected: 'x',
    found: 'could not be read [permission-missing]',
    instrument: false,
  } as const;
  const findings = ['macos.policy', 'macos.script', 'macos.update-inventory'].map((check) => ({
    check,
    advice: 'Grant it.',
    ...unread,
  }));
  const checks = findings.map(({ check }) => ({ id: check, expected: 'x', blindSpot: 'y' }));
  expect(formatFindings(findings, checks)).toEqual([
    '  deployment',
    '    unknown      3 checks: could not be read [permission-missing]',
    '                 macos.policy, macos.script, macos.update-inventory',
    '                 to do: Grant it.',
  ]);
});

it('checks of an interface that the company does not use are no line, unless they decide what values mean', () => {
  const unset = { result: 'not-checked', expected: 'x', found: '', instrument: false } as const;
  const advice = 'Set deployment.identity to have this checked.';
  const checks = ['macos.policy', 'macos.script'].map((id) => ({ id, expected: 'x', blindSpot: 'y' }));
  const format = (instrument: boolean) =>
    formatFindings(
      checks.map(({ id }) => ({ check: id, advice, ...unset, instrument })),
      checks,
    );
  expect(format(false)).toEqual([]);
  expect(format(true).slice(1)).toEqual([
    `    not-checked  2 checks: ${advice}`,
    '                 macos.policy, macos.script',
  ]);
});

it('findings stand below the heading that their check has, of whatever kind of source it is', () => {
  const check = (id: string, group?: string) => ({ id, expected: 'x', blindSpot: 'y', ...(group && { group }) });
  const found = (id: string, instrument = false) =>
    ({ check: id, result: 'pass', expected: 'x', found: 'y', advice: '', instrument }) as const;
  const findings = [found('linux.unit'), found('linux.repository'), found('linux.query', true), found('canary.C02')];
  const checks = [check('linux.query'), check('linux.unit'), check('linux.repository', 'repositories')];
  const lines = formatFindings([...findings, found('devices.shared-serial')], checks);
  expect(lines.filter((line) => !line.startsWith('    '))).toEqual([
    '  the detection method: do the values mean anything',
    '  canaries: machines kept with and without the agent',
    '  deployment',
    '  repositories',
    '  the listed devices',
  ]);
});

it('two sources that show the same records are named, also where their addresses differ', () => {
  const macs = ['1', '2'].map((id) => makeMac(id, 'Installed', { serialNumber: `C02WBFY0${id}` }));
  const night = judgeOnce({
    sources: [
      makeSource('macs', macs),
      makeSource('backup', macs, { kind: 'jamf' }),
      makeSource('windows', [makePc('1')]),
    ],
  });
  expect(listDoubledSources(night)).toEqual([
    'backup and macs both list 2 devices with the same id and serial number: each is counted in one of the two alone. Remove one source, or give each a site of its own.',
  ]);
});

it('findings cannot forge a line', () => {
  const finding = {
    check: 'macos.policy',
    result: 'fail',
    expected: 'x',
    found: 'a\n    pass  b',
    advice: '',
    instrument: false,
  } as const;
  expect(formatFindings([finding], [])).toEqual([
    '  others',
    '    fail         macos.policy  a     pass  b',
    '                 expected: x',
  ]);
});
