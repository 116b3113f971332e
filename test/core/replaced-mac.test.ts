/** The example of docs/dev/architecture.md: one Mac, enrolled anew after a repair, in each of its runs. */
import { expect, it } from 'vitest';
import {
  at,
  judgeRuns,
  lenient,
  makeFacts,
  makeFleet,
  makeIncomplete,
  makeMac,
  makeSource,
  no,
  yes,
} from './make-facts.ts';

const serialNumber = 'C02ABC123';
const hour = 3_600_000;
const heardAt = (time: string) => ({ serialNumber, reportedAt: time, lastSeenAt: time });
const old = makeMac('17', yes, heardAt(at(2, 0, -hour)));
const anew = (value: string, time: string) =>
  makeMac('94', value, { ...heardAt(time), enrolledAt: at(2, 0, 5 * hour) });
const macs = (...devices: ReturnType<typeof makeMac>[]) => makeSource('macs', [...makeFleet(3), ...devices]);

it('a Mac that is enrolled anew has one entry, one history and one alert', () => {
  const runs = judgeRuns(
    ...[
      macs(makeMac('17', yes, heardAt(at(1, 0, -hour)))),
      macs(old),
      macs(old, anew(no, at(3, 0, -3 * hour))),
      macs(old, anew(no, at(4, 0, -hour))),
      makeIncomplete('macs'),
      macs(anew(no, at(6, 0, -hour))),
      macs(anew(yes, at(7, 0, -hour))),
    ].map((one) => ({ sources: [one], policy: lenient })),
  );

  const told = runs.map(({ slot: date, state, devices, changes, events }) => {
    const entry = state.ledger.find(({ name }) => name === `macos/${serialNumber}`);
    const { standing, others = [], history = [] } = entry ?? {};
    const own = events.filter(({ key }) => key === `device:macos/${serialNumber}`);
    return [
      date.slice(-2),
      [standing?.id, ...others.map(({ id }) => id)].join(' '),
      history.map(([, letter]) => letter).join(' '),
      devices.filter(({ facts: device, judgement }) => device.serialNumber === serialNumber && judgement.counted)
        .length,
      changes.map(({ kind }) => kind).join(' '),
      own.map(({ kind, phase }) => `${kind} ${phase}`).join(' '),
    ];
  });

  expect(told).toEqual([
    ['01', '17', 'I', 1, '', ''],
    ['02', '17', 'I', 1, '', ''],
    ['03', '17 94', 'I', 1, '', ''],
    ['04', '94 17', 'I N', 1, 'moved lost', ''],
    ['05', '94 17', 'I N', 1, '', ''],
    ['06', '94', 'I N', 1, '', 'device.lost first'],
    ['07', '94', 'I N I', 1, 'recovered', 'device.recovered over'],
  ]);
  expect(makeFacts(1).policy.graceHours).toBe(72);
});
