import { describe, expect, it } from 'vitest';
import type { Canary } from '../../src/core/facts/company.ts';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import { isCanaryCheck } from '../../src/core/source/canaries.ts';
import {
  at,
  findDevice,
  findFigures,
  findSource,
  judgeOnce,
  judgeRuns,
  makeFinding,
  makeIncomplete,
  makeMac,
  makePc,
  makeSource,
} from './make-facts.ts';

const canary = (serial: string, expect: Canary['expect'], from = 'macs'): Canary => ({ source: from, serial, expect });
const machine = (value: string | null, changes: Partial<DeviceFacts> = {}) =>
  makeMac('1', value, { serialNumber: 'C02CANARY1', ...changes });
const resultOf = (night: ReturnType<typeof judgeOnce> | undefined, name = 'macs') =>
  findSource(night, name).findings.find(({ check }) => check.startsWith('canary.'))?.result;

describe('a canary', () => {
  it('that contradicts takes the proof from its source for that night, and is the first line', () => {
    const wrong = judgeOnce({
      canaries: [canary('c02 canary-1', 'Not Installed')],
      sources: [makeSource('macs', [makeMac('9'), machine('Installed')])],
    });
    const message =
      'canary.c02 canary-1: expected Not Installed; found Installed (device 1). Find out what broke between the script and this report; until then nothing is proven.';

    expect(findFigures(wrong, 'macs')).toMatchObject({ provenInstalled: 0, provenNotInstalled: 0, counted: 2 });
    expect(findSource(wrong, 'macs').problem).toEqual({ code: 'canary', message });
    expect(wrong.events[0]?.text).toBe(message);
    expect(wrong.state.sources[0]?.baseline).toBeUndefined();
  });

  it('is counted like any device, and no event is raised about it', () => {
    const canaries = [canary('C02CANARY1', 'Not Installed')];
    const bare = machine('Not Installed');
    const all = judgeRuns(
      { canaries, sources: [makeSource('macs', [bare, makeMac('2'), makeMac('3', 'Not Installed')])] },
      ...Array.from({ length: 20 }, () => ({ canaries, sources: [makeSource('macs', [bare, makeMac('2')])] })),
    );

    expect(findFigures(all[0], 'macs')).toMatchObject({ counted: 3, notInstalled: 2 });
    expect(all[0]?.events[0]?.first?.map(({ id }) => id)).toEqual(['3']);
    const about = all.flatMap((night) => night.events.filter(({ key }) => key === 'device:macs/1'));
    expect(about).toEqual([]);
  });

  it('is checked though it is exempt, and though another record of it was replaced', () => {
    const exempt = judgeOnce({
      canaries: [canary('C02CANARY1', 'Installed')],
      exemptions: [
        { match: 'device_id', value: '1', source: 'macs', reason: 'lab', owner: 'it', expires: '2027-01-01' },
      ],
      sources: [
        makeSource('macs', [
          machine('Not Installed'),
          makeMac('0', 'Installed', { serialNumber: 'C02CANARY1', reportedAt: at(1, -4) }),
        ]),
      ],
    });

    expect(findDevice(exempt, '1').judgement.excludedBecause).toBe('exempt');
    expect(findDevice(exempt, '0').judgement.excludedBecause).toBe('superseded');
    expect(resultOf(exempt)).toBe('fail');
  });

  it('of a broken instrument or a carried source says nothing', () => {
    const canaries = [canary('C02CANARY1', 'Installed')];
    const broken = makeSource('macs', [machine('Not Installed')], { findings: [makeFinding('fail')] });
    const all = judgeRuns(
      { canaries, sources: [makeSource('macs', [machine('Installed')])] },
      { canaries, sources: [broken] },
      { canaries, sources: [makeIncomplete('macs')] },
    );

    expect(all.map((night) => resultOf(night))).toEqual(['pass', 'unknown', 'unknown']);
  });

  it('that could not be read is not asked', () => {
    const canaries = [canary('C02CANARY1', 'Not Installed')];
    const unread = makeSource('macs', [makeMac('9')], { unread: [{ id: '1', operatingSystem: 'macos' }] });
    const [, night] = judgeRuns(
      { canaries, sources: [makeSource('macs', [machine('Not Installed'), makeMac('9')])] },
      { canaries: [canary('C02CANARY1', 'Installed')], sources: [unread] },
    );

    expect(resultOf(night)).toBe('unknown');
    expect(findSource(night, 'macs').soundness).toBe('partial');
  });

  it('means the machine: the record that stands is asked, in another source too', () => {
    const older = machine('Installed', { reportedAt: at(1, -40), lastSeenAt: at(1, -40) });
    const night = judgeOnce({
      canaries: [canary('C02CANARY1', 'Installed')],
      sources: [
        makeSource('macs', [older, makeMac('9')]),
        makeSource('others', [makeMac('3', '3', { serialNumber: 'C02CANARY1' })], { kind: 'intune' }),
      ],
    });

    expect(findDevice(night, '3').judgement.supersededBy).toBeUndefined();
    expect(night.sources.map(({ name, soundness }) => [name, soundness])).toEqual([
      ['macs', 'complete'],
      ['others', 'untrusted'],
    ]);
    expect(resultOf(night)).toBe('fail');
  });

  it('belongs to its source alone', () => {
    const night = judgeOnce({
      canaries: [canary('C02CANARY1', 'Installed', 'windows')],
      sources: [makeSource('macs', [machine('Not Installed')]), makeSource('windows', [makePc('a')])],
    });

    expect(resultOf(night)).toBeUndefined();
    expect(resultOf(night, 'windows')).toBe('unknown');
  });

  const advice = {
    wrong: 'Find out whether the machine was changed or the measurement is wrong: script, inventory and platform.',
    unproven: 'Switch the machine on and let it report, or correct deployment.canaries.',
  };

  it.each([
    [[machine('Installed')], 'pass', 'Installed (device 1)', ''],
    [[machine('Not Installed')], 'fail', 'Not Installed (device 1)', advice.wrong],
    [[machine(null)], 'unknown', 'Not Installed (device 1), not proven', advice.unproven],
    // Its answer is too old to prove anything.
    [
      [machine('Not Installed', { reportedAt: at(1, -40) })],
      ...['unknown', 'Not Installed (device 1), not proven', advice.unproven],
    ],
    [
      [makeMac('7'), makeMac('8', 'Installed', { serialNumber: '' })],
      'unknown',
      'no device has this serial number',
      advice.unproven,
    ],
    [
      [
        machine(null, { enrolledAt: at(1, -400) }),
        makeMac('2', 'Installed', { ...machine(null), id: '2', enrolledAt: at(1, -300) }),
      ],
      ...['unknown', 'Not Installed (device 1), Not Installed (device 2), not proven', advice.unproven],
    ],
  ])('says what was found: %#', (devices, result, found, why) => {
    const night = judgeOnce({
      canaries: [canary('C02CANARY1', 'Installed')],
      sources: [makeSource('macs', [...(devices as DeviceFacts[]), makeMac('9')])],
    });

    expect(findSource(night, 'macs').findings.filter(isCanaryCheck)).toEqual([
      { check: 'canary.C02CANARY1', expected: 'Installed', instrument: false, result, found, advice: why },
    ]);
    expect(findSource(night, 'macs').soundness).toBe(result === 'fail' ? 'untrusted' : 'complete');
  });

  it('says that the source did not answer, and is found by its prefix alone', () => {
    const [, night] = judgeRuns(
      { sources: [makeSource('macs', [machine('Installed')])] },
      { canaries: [canary('C02CANARY1', 'Installed')], sources: [makeIncomplete('macs')] },
    );

    expect(findSource(night, 'macs').findings.filter(isCanaryCheck)).toMatchObject([
      { result: 'unknown', found: 'the source did not answer completely', advice: '' },
    ]);
    expect(isCanaryCheck({ check: 'jamf.canary.' })).toBe(false);
  });
});
