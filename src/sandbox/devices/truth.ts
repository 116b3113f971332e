/** What is true about every device that should appear, from what the fleet's history did to it. */
import { day, macReportedAt, windowsSyncedAt } from './contact-times.ts';
import type { Fleet, Mac, Verdict, WindowsDevice } from './model.ts';

export interface TruthRow {
  readonly source: 'macs' | 'windows';
  readonly device_id: string;
  readonly serial_number: string;
  readonly status: 'Installed' | 'Not Installed';
  readonly reason: string;
  readonly proven: boolean;
  readonly stale: boolean;
  readonly counted: boolean;
  readonly excluded_because: string;
}

interface TruthQuestion {
  readonly moment: number;
  readonly staleAfterDays: number;
  readonly population: 'all' | 'company';
  /** The part of the fleet that a site-scoped account sees. */
  readonly site: Mac['site'] | undefined;
}

interface Candidate {
  readonly id: string;
  readonly rank: number;
  readonly serial: string | null;
  readonly heard: number | undefined;
  readonly verdict: Verdict;
  /** Unmanaged or retiring: does not supersede another record. */
  readonly leaving: string;
  readonly otherwise: string;
}

const placeholders = new Set(['', '0', 'system serial number', 'to be filled by o.e.m.', 'default string']);
const retiring = new Set(['retirePending', 'retireIssued', 'wipePending', 'wipeIssued', 'deletePending']);
const withoutApps = new Set(['msSense', 'configurationManagerClient']);

function serialKey(serial: string | null): string {
  const key = (serial ?? '').trim().toLowerCase();
  return placeholders.has(key) ? '' : key;
}

function isNewer(one: Candidate, other: Candidate): boolean {
  const difference = (one.heard ?? Number.NEGATIVE_INFINITY) - (other.heard ?? Number.NEGATIVE_INFINITY);
  if (difference > 0 || difference < 0) {
    return difference > 0;
  }
  return one.rank === other.rank ? one.id > other.id : one.rank > other.rank;
}

/** The newest record of each real serial number among those that stay. */
function newestBySerial(candidates: readonly Candidate[]): Map<string, Candidate> {
  const newest = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = serialKey(candidate.serial);
    const known = newest.get(key);
    if (key !== '' && candidate.leaving === '' && (known === undefined || isNewer(candidate, known))) {
      newest.set(key, candidate);
    }
  }
  return newest;
}

function judge(source: TruthRow['source'], candidates: readonly Candidate[], question: TruthQuestion): TruthRow[] {
  const newest = newestBySerial(candidates);
  return candidates.map((candidate) => {
    const stale = candidate.heard === undefined || question.moment - candidate.heard > question.staleAfterDays * day;
    const twin = newest.get(serialKey(candidate.serial));
    const superseded = twin !== undefined && twin !== candidate && isNewer(twin, candidate);
    const excluded = candidate.leaving || candidate.otherwise || (superseded ? 'superseded' : '');
    return {
      source,
      device_id: candidate.id,
      serial_number: (candidate.serial ?? '').trim(),
      status: candidate.verdict.status,
      reason: candidate.verdict.reason,
      proven: candidate.verdict.provable && !stale,
      stale,
      counted: excluded === '',
      excluded_because: excluded,
    };
  });
}

function macCandidate(fleet: Fleet, mac: Mac): Candidate {
  return {
    id: String(mac.id),
    rank: mac.id,
    serial: mac.serial,
    heard: macReportedAt(fleet, mac),
    verdict: mac.verdict,
    leaving: mac.managed ? '' : 'unmanaged',
    otherwise: '',
  };
}

function windowsCandidate(fleet: Fleet, device: WindowsDevice, population: 'all' | 'company'): Candidate {
  const leaving =
    device.managementState === 'discovered' ? 'unmanaged' : retiring.has(device.managementState) ? 'retiring' : '';
  const personal = population === 'company' && device.owner === 'personal' ? 'personal' : '';
  const synced = windowsSyncedAt(fleet, device);
  return {
    id: device.id,
    rank: 0,
    serial: device.serial,
    // Graph tells whole seconds.
    heard: synced === undefined ? undefined : Math.floor(synced / 1000) * 1000,
    verdict: device.verdict,
    leaving,
    otherwise: withoutApps.has(device.agent) ? 'not-manageable' : personal,
  };
}

export function truthOf(fleet: Fleet, question: TruthQuestion): TruthRow[] {
  const macs = fleet.macs.filter((mac) => question.site === undefined || mac.site === question.site);
  const macRows = judge(
    'macs',
    macs.map((mac) => macCandidate(fleet, mac)),
    question,
  );
  const windows = fleet.windows.map((device) => windowsCandidate(fleet, device, question.population));
  return [...macRows, ...judge('windows', windows, question)];
}
