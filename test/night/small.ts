/** A small company for tests of the way: two sources in this process, six devices each, a life night by night. */

import { MusterError } from '../../src/base/errors.ts';
import { version } from '../../src/base/version.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { OperatingSystem } from '../../src/core/facts/device-places.ts';
import type { CheckResult, DeviceFacts } from '../../src/core/facts/facts.ts';
import { systemClock } from '../../src/http/clock.ts';
import type { Table } from '../../src/reports/table.ts';
import { tables } from '../../src/reports/tables.ts';
import type { Parts, RunRequest } from '../../src/run/parts.ts';
import type { Source } from '../../src/sources/source.ts';
import type { Store } from '../../src/storage/store.ts';

export interface Company {
  /** Sources whose platform is away. */
  readonly away: Set<string>;
  /** Sources that list fewer than half of their devices. */
  readonly shrunk: Set<string>;
  /** How many devices a source could not read. */
  readonly unread: Map<string, number>;
  /** Findings of instrument checks, by source; of all others the check passes. */
  readonly instruments: Map<string, Partial<CheckResult>[]>;
  /** Sources in the order in which they were asked. */
  readonly asked: string[];
  keptNights: number;
  devices: number;
  tables: readonly Table[];
  parts(store: Store): Parts;
  order(slot: string, more?: Partial<RunRequest>): RunRequest;
}

/** It publishes two tables, since every further one is written as these are. */
export function company(): Company {
  const made: Company = {
    away: new Set(),
    shrunk: new Set(),
    unread: new Map(),
    instruments: new Map(),
    asked: [],
    keptNights: 400,
    devices: 6,
    tables: tables.filter(({ name }) => name === 'devices' || name === 'coverage'),
    parts: (store) => ({
      store,
      sources: [sourceOf(made, 'macs', 'macos', () => slot), sourceOf(made, 'windows', 'windows', () => slot)],
      privacy: { users: 'show' },
      clock: systemClock,
      patience: 600_000,
      signal: new AbortController().signal,
      tables: made.tables,
      rules: sourceRules,
    }),
    order(asked, more = {}) {
      slot = asked;
      return { slot: asked, moment: momentOf(asked), readRunContext: async () => frameOf(made.keptNights), ...more };
    },
  };
  let slot = slots[0] ?? '';
  return made;
}

/** Slots of November 2026, one after the other. */
export const slots: readonly string[] = Array.from(
  { length: 20 },
  (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`,
);

function momentOf(slot: string): Date {
  return new Date(`${slot}T05:15:00Z`);
}

function frameOf(keptNights: number) {
  return {
    muster: version,
    agent: 'Endpoint agent',
    policy: {
      staleAfterDays: 30,
      windowsRepairDays: 30,
      graceHours: 72,
      overdueAfterDays: 14,
      breaker: { maximumFleetDropPercent: 20, maximumFlipPercent: 40, minimumDevices: 3 },
    },
    exemptions: [],
    keptNights,
  };
}

function sourceOf(made: Company, name: string, platform: OperatingSystem, slot: () => string): Source {
  return {
    name,
    kind: platform === 'macos' ? 'jamf' : 'intune',
    async read(_ask, sheet) {
      made.asked.push(name);
      if (made.away.has(name)) {
        throw new MusterError('request-failed', `${name} does not answer.`);
      }
      const devices = Array.from({ length: made.devices }, (_, index) => deviceOf(platform, slot(), index));
      const unread = devices.splice(0, made.unread.get(name) ?? 0);
      sheet.devices = made.shrunk.has(name) ? devices.slice(0, devices.length / 3) : devices;
      sheet.unread = unread.map(({ id, operatingSystem }) => ({ id, operatingSystem }));
      sheet.findings = (made.instruments.get(name) ?? [{}]).map((finding) => ({ ...passing, ...finding }));
      sheet.receipt = { ...sheet.receipt, claimed: sheet.devices.length, received: sheet.devices.length, pages: 1 };
    },
  };
}

const passing: CheckResult = {
  ...{ check: 'instrument', result: 'pass', expected: '', found: '', advice: '', instrument: true },
};

/** The agent of the device with the night's own number is gone for that night. */
function deviceOf(platform: OperatingSystem, slot: string, index: number): DeviceFacts {
  const at = `${slot}T04:00:00Z`;
  const isGone = Number(slot.slice(-2)) % 6 === index % 6;
  const common = {
    operatingSystem: platform,
    name: `device, "${index}"`,
    serialNumber: `SERIAL-${platform}-${index}`,
    lastSeenAt: at,
  };
  if (platform === 'macos') {
    const value = isGone ? 'Not Installed' : 'Installed';
    return { id: String(index + 1), ...common, reportedAt: at, managementState: 'managed', answers: [{ value, at }] };
  }
  const id = `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`;
  return { id, ...common, managementState: 'managed', answers: [{ value: isGone ? '3' : '1', at }] };
}

/** As `company`, with all tables. */
export function companyOfAllTables(): Company {
  const made = company();
  made.tables = tables;
  return made;
}
