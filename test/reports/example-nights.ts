/** The nights that pictures are taken of, and that every view is checked on. */
import type { ExemptionRow } from '../../src/core/facts/company.ts';
import type { CheckResult, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { nightOf } from './fleet.ts';

const exemptions: readonly ExemptionRow[] = [
  row('device_id', '11', 'macs', 'Kiosk in the lobby, replaced in January', 'Gesa Holt', '2027-01-31'),
  row('device_id', '27', 'macs', 'Build machine, hardened by hand', 'Falk Ibsen', '2026-11-28'),
  row('serial', 'GONE0000', '', 'Sold', 'Ilka Kern', '2027-03-01'),
  row('device_id', '43', 'macs', 'Loan', '', '2027-03-01'),
];

function row(
  match: string,
  value: string,
  source: string,
  reason: string,
  owner: string,
  expires: string,
): ExemptionRow {
  return { match, value, source, reason, owner, expires };
}

function change(facts: Facts, name: string, edit: (source: SourceFacts) => SourceFacts): Facts {
  return { ...facts, sources: facts.sources.map((source) => (source.name === name ? edit(source) : source)) };
}

function incomplete(source: SourceFacts): SourceFacts {
  const received = Math.floor(source.receipt.received * 0.62);
  return {
    ...source,
    reading: 'incomplete',
    devices: [],
    groups: [],
    receipt: { ...source.receipt, received, walks: 2, retries: 5 },
    problem: {
      code: 'rows-missing',
      message: `Microsoft Graph says that it has ${source.receipt.received} Windows devices and gave ${received}, twice.`,
    },
  };
}

const broken: CheckResult = {
  check: 'jamf-attribute',
  result: 'fail',
  expected: 'one enabled text attribute with the documented script',
  found: 'the attribute “Agent Status” is disabled',
  advice: 'Turn it on again: Settings, Computer management, Extension attributes.',
  instrument: true,
};

const newScript = '9'.repeat(64);

/** A night on which a little happened: agents lost and put back, machines gone. */
function restless(source: SourceFacts): SourceFacts {
  const words = source.kind === 'jamf' ? ['Installed', 'Not Installed'] : ['1', '3'];
  const devices = source.devices
    .filter((_, at) => at % 311 !== 200)
    .map((device, at) => {
      const [answer] = device.answers;
      const place = words.indexOf(answer?.value ?? '');
      if (answer === undefined || place === -1 || at % (place === 0 ? 170 : 9) !== 4) {
        return device;
      }
      return { ...device, answers: [{ ...answer, value: words[1 - place] ?? '' }] };
    });
  const { length } = devices;
  return { ...source, devices, receipt: { ...source.receipt, claimed: length, received: length } };
}

/** A quarter of a year with ordinary mishaps; the last night is sound. */
export function quarter(devices = 4000, nights = 90): Night {
  return nightOf({
    devices,
    missing: 6,
    nights,
    exemptions,
    happens(facts, night) {
      const back = nights - night;
      if (back === 61 || back === 60 || back === 17) {
        return undefined;
      }
      if (back === 40 || back === 39) {
        return change(facts, 'windows', incomplete);
      }
      if (back === 28) {
        return change(facts, 'macs', (source) => ({
          ...source,
          devices: source.devices.filter((_, at) => at % 3 > 0),
        }));
      }
      if (back === 52) {
        return change(facts, 'macs', (source) => ({ ...source, findings: [broken] }));
      }
      const tonight = back === 0 ? { ...facts, sources: facts.sources.map(restless) } : facts;
      if (back > 9) {
        return tonight;
      }
      return change(tonight, 'macs', (source) => ({
        ...source,
        instrument: { ...source.instrument, fingerprint: newScript },
      }));
    },
  });
}

/** Graph broke off, and somebody turned the attribute off. */
export function badNight(devices = 1200): Night {
  const nights = 12;
  return nightOf({
    devices,
    missing: 6,
    nights,
    happens(facts, night) {
      if (night < nights) {
        return facts;
      }
      const macs = change(facts, 'macs', (source) => ({ ...source, findings: [broken, ...source.findings.slice(1)] }));
      return change(macs, 'windows', incomplete);
    },
  });
}

/** Without a device, and accepted as such. */
export function emptyFleet(): Night {
  const accepted = { by: 'Ada', at: '2026-06-01T08:00:00.000Z', sources: ['macs', 'windows'] };
  return nightOf({ devices: 0, nights: 1, happens: (facts) => ({ ...facts, accepted }) });
}

/** Nothing to show at all: a first night on which nobody answered. */
export function silentFirstNight(): Night {
  return nightOf({
    devices: 40,
    nights: 1,
    happens: (facts) => change(change(facts, 'macs', incomplete), 'windows', incomplete),
  });
}

export function largeFleet(missing = 5): Night {
  return nightOf({ devices: 100_000, missing, nights: 2 });
}
