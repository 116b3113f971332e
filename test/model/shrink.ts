/** Makes a history that shows a difference as small as it gets, by leaving things out. */
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { History, Step } from './generate.ts';

export function shrinkHistory(history: History, stillDiffers: (candidate: History) => boolean): History {
  let smallest = history;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    // Each round works on the list of a moment; what became smaller is looked at again in the next.
    for (const shrink of [...listShrinks(smallest)]) {
      const candidate = shrink(smallest);
      if (JSON.stringify(candidate).length < JSON.stringify(smallest).length && stillDiffers(candidate)) {
        smallest = candidate;
        isSmaller = true;
      }
    }
  }
  return smallest;
}

type Shrink = (history: History) => History;

function listShrinks(history: History): Shrink[] {
  const all = history.flatMap(({ attempts }) => attempts);
  const sources = new Set(all.flatMap((facts) => facts.sources.map(({ name }) => name)));
  const ids = new Set(all.flatMap((facts) => facts.sources.flatMap(({ devices }) => devices.map(({ id }) => id))));
  return [
    ...history.map(
      ({ attempts }): Shrink =>
        (one) =>
          one.filter((step) => step.attempts[0]?.slot !== attempts[0]?.slot),
    ),
    ...history.flatMap(({ attempts }) =>
      attempts.map(
        (attempt): Shrink =>
          (one) =>
            dropAttempt(one, attempt),
      ),
    ),
    ...[...sources].map(
      (name): Shrink =>
        (one) =>
          mapFacts(one, (facts) => dropSource(facts, name)),
    ),
    ...[...ids].map(
      (id): Shrink =>
        (one) =>
          mapSources(one, (source) => dropDevice(source, id)),
    ),
    ...[...ids].map(
      (id): Shrink =>
        (one) =>
          mapSources(one, (source) => dropSerial(source, id)),
    ),
    (one) => one.map((step) => ({ ...step, isAccepted: false })),
    (one) => mapFacts(one, (facts) => ({ ...facts, exemptions: [] })),
    (one) => mapFacts(one, ({ canaries: _canaries, ...facts }) => facts),
    (one) =>
      mapSources(one, (source) => ({
        ...source,
        groups: source.groups.map(({ holds, name }) => ({ holds, name, problem: 'Not read.' })),
      })),
    ...all.flatMap((facts) => [
      ...facts.exemptions.map(
        (_row, index): Shrink =>
          (one) =>
            dropExemption(one, facts.slot, index),
      ),
      ...facts.sources.flatMap(({ name, devices }) => [
        ...listSourceShrinks(facts.slot, name),
        ...devices.flatMap(({ id }) => listDeviceShrinks(facts.slot, name, id)),
      ]),
    ]),
  ];
}

function listSourceShrinks(slot: string, name: string): Shrink[] {
  const plain = (change: (source: SourceFacts) => SourceFacts): Shrink => {
    return (history) =>
      mapFacts(history, (facts) =>
        facts.slot === slot
          ? { ...facts, sources: facts.sources.map((source) => (source.name === name ? change(source) : source)) }
          : facts,
      );
  };
  return [
    plain(({ receipt: { unlisted: _unlisted, overview: _overview, ...receipt }, ...source }) => ({
      ...source,
      receipt,
    })),
    plain(({ population: _population, ...source }) => source),
    plain(({ unread: _unread, ...source }) => source),
    plain((source) => ({ ...source, findings: source.findings.filter(({ instrument }) => instrument) })),
    plain((source) => ({ ...source, instrument: {} })),
    plain((source) => ({ ...source, receipt: { ...source.receipt, ended: '2026-06-01T05:15Z' } })),
  ];
}

const fields = [
  'name',
  'user',
  'serialNumber',
  'managementAgent',
  'clientAppsWorkload',
  'ownership',
  'enrolledAt',
  'lastSeenAt',
  'reportedAt',
] as const;

function listDeviceShrinks(slot: string, name: string, id: string): Shrink[] {
  const plain = (change: (device: DeviceFacts) => DeviceFacts | undefined): Shrink => {
    return (history) =>
      mapFacts(history, (facts) => ({
        ...facts,
        sources: facts.sources.map((source) =>
          facts.slot === slot && source.name === name
            ? {
                ...source,
                devices: source.devices.flatMap((device) => (device.id === id ? (change(device) ?? []) : device)),
              }
            : source,
        ),
      }));
  };
  return [
    plain(() => undefined),
    plain((device) => ({ ...device, answers: [] })),
    plain((device) => ({ ...device, answers: device.answers.slice(1) })),
    plain((device) => ({ ...device, answers: device.answers.slice(0, -1) })),
    ...fields.map((field) => plain(({ [field]: _field, ...device }) => device as DeviceFacts)),
  ];
}

function mapFacts(history: History, change: (facts: Facts) => Facts): History {
  return history.map((step) => ({ ...step, attempts: step.attempts.map(change) }));
}

function mapSources(history: History, change: (source: SourceFacts) => SourceFacts): History {
  return mapFacts(history, (facts) => ({ ...facts, sources: facts.sources.map(change) }));
}

/** Some attempt at a slot is published. */
function dropAttempt(history: History, attempt: Facts): History {
  const text = JSON.stringify(attempt);
  return history
    .map((step): Step => {
      const kept = step.attempts.flatMap((facts, index) => (JSON.stringify(facts) === text ? [] : [index]));
      return {
        ...step,
        attempts: kept.map((index) => step.attempts[index] as Facts),
        isPublished: kept.map((index) => step.isPublished[index] ?? true),
      };
    })
    .filter(({ isPublished }) => isPublished.includes(true));
}

function dropSource(facts: Facts, name: string): Facts {
  return { ...facts, sources: facts.sources.filter((source) => source.name !== name) };
}

function dropDevice(source: SourceFacts, id: string): SourceFacts {
  return { ...source, devices: source.devices.filter((device) => device.id !== id) };
}

/** In all nights: a record that gets or loses its serial number is another story. */
function dropSerial(source: SourceFacts, id: string): SourceFacts {
  const devices = source.devices.map(({ serialNumber, ...device }) =>
    device.id === id || serialNumber === undefined ? device : { ...device, serialNumber },
  );
  return { ...source, devices };
}

function dropExemption(history: History, slot: string, index: number): History {
  return mapFacts(history, (facts) =>
    facts.slot === slot ? { ...facts, exemptions: facts.exemptions.filter((_row, at) => at !== index) } : facts,
  );
}
