/** Whether the answers of a run decide about the matter of an alert: nothing opens or ends from missing data. */
import type { JudgedDevice, Night } from '../../src/core/facts/judged.ts';
import type { Entry } from '../../src/core/facts/ledger.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import type { PlayedRun } from './play-core.ts';

export function canTell(alert: AlertState, run: PlayedRun): boolean {
  const { night } = run;
  const [prefix, rest] = splitKey(alert);
  const whole = listWhole(night);
  const isAllWhole = whole.size === night.sources.length;
  switch (prefix) {
    case 'device':
      return isMachineKnown(rest, run);
    case 'silent':
      return night.lists.reporting === undefined || isSilenceKnown(rest, run);
    case 'overdue':
      return isAllWhole;
    case 'unenrolled':
      return night.lists.expected === undefined || night.lists.expected.unenrolled !== undefined;
    case 'deployment': {
      const [source = ''] = rest.split('/');
      const finding = night.sources
        .find(({ name }) => name === source)
        ?.findings.find(({ check }) => `${source}/${check}` === rest);
      const isNamed = night.sources.some(({ name }) => name === source);
      return finding === undefined ? !isNamed || whole.has(source) : finding.result !== 'unknown';
    }
    case 'coverage':
      return isCoverageKnown(night);
    case 'source':
    case 'list':
      return true;
    default:
      return isRowKnown(rest, night);
  }
}

/** A machine without a row: gone from whole sources, or of a source that left the settings. */
function isAbsenceKnown(name: string, run: PlayedRun): boolean {
  const { night } = run;
  const entry = findEntry(name, run);
  const whole = listWhole(night);
  if (entry === undefined) {
    return whole.size === night.sources.length;
  }
  const isForgotten = !indexEntries(night).has(name) && whole.has(entry.standing.source);
  return entry.isGone === true || isForgotten || isOfRemovedSource(entry, night);
}

/** The entry after the run; one that was listed long ago is forgotten in the run in which it is gone. */
function findEntry(name: string, { night, previous }: PlayedRun): Entry | undefined {
  return indexEntries(night).get(name) ?? previous?.ledger.find((entry) => entry.name === name);
}

function isOfRemovedSource({ standing }: Entry, { sources }: Night): boolean {
  return !sources.some(({ name, kind }) => name === standing.source && kind === standing.kind);
}

export function findStanding(name: string, night: Night): JudgedDevice | undefined {
  return night.devices.find(({ machine, judgement }) => machine === name && judgement.supersededBy === undefined);
}

/** Its row was read from a whole source, and measured since a repair. */
function isMachineKnown(name: string, run: PlayedRun): boolean {
  const { night } = run;
  const entry = findEntry(name, run);
  const device = findStanding(name, night);
  if (device === undefined || (entry !== undefined && isOfRemovedSource(entry, night))) {
    return isAbsenceKnown(name, run);
  }
  if (!listWhole(night).has(device.source) || entry?.listedOn !== night.slot) {
    return false;
  }
  const { counted, isBeforeRepair } = device.judgement;
  return night.canaries.has(name) || !counted || !isBeforeRepair;
}

function isSilenceKnown(name: string, run: PlayedRun): boolean {
  const { night } = run;
  const device = findStanding(name, night);
  if (night.coverage.at(-1)?.silent === undefined || device === undefined) {
    return night.coverage.at(-1)?.silent !== undefined && isAbsenceKnown(name, run);
  }
  const { judgement, source, lists } = device;
  const isWatched = isInstalled(judgement) && !night.canaries.has(name);
  const isRead = listWhole(night).has(source) && judgement.unread === undefined;
  return isRead && (!isWatched || lists?.silent !== undefined);
}

function isCoverageKnown({ coverage, policy }: Night): boolean {
  const { soundness, counted = 0 } = coverage.at(-1) ?? {};
  return policy.minimumCoverage === undefined || (soundness === 'complete' && counted > 0);
}

function isRowKnown(identity: string, night: Night): boolean {
  const result = findRow(identity, night);
  const [limit] = JSON.parse(identity) as string[];
  const isExemption = isOfExemption(identity);
  const concerned = night.sources.filter(({ name }) => !isExemption || limit === '' || name === limit);
  const isKnown = concerned.every(({ soundness }) => soundness === 'complete' || soundness === 'untrusted');
  return result === undefined || isKnown || ['expired', 'expiring', 'invalid'].includes(result);
}

const wholeWords = new Set(['complete', 'partial']);

export function listWhole({ sources }: Night): Set<string> {
  return new Set(sources.flatMap(({ name, soundness }) => (wholeWords.has(soundness) ? name : [])));
}

export function indexEntries({ state }: Night): Map<string, Entry> {
  return new Map(state.ledger.map((entry) => [entry.name, entry]));
}

export function splitKey({ key }: AlertState): [prefix: string, rest: string] {
  const colon = key.indexOf(':');
  return colon === -1 ? [key, ''] : [key.slice(0, colon), key.slice(colon + 1)];
}

export function isInstalled({ counted, status }: JudgedDevice['judgement']): boolean {
  return counted && status === 'Installed';
}

/** A row of the acknowledgements has four words. */
export function isOfExemption(identity: string): boolean {
  return (JSON.parse(identity) as string[]).length === 5;
}

export function findRow(identity: string, { exemptions, acknowledgements }: Night): string | undefined {
  const rows = [
    ...exemptions.map((row) => [[row.source, row.match, row.value, row.owner, row.expires], row.result] as const),
    ...acknowledgements.map((row) => [[row.serial, row.by, row.until, row.ticket], row.result] as const),
  ];
  return rows.find(([own]) => JSON.stringify(own) === identity)?.[1];
}
