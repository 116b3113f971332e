/** Fleet's answers: https://fleetdm.com/docs/rest-api/rest-api#hosts. Pure. */
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import {
  boundText,
  readRecord,
  readRecords,
  readString,
  readText,
  readTime,
} from '../../src/sources/reading/fields.ts';

export interface PolicyFacts {
  readonly id: string;
  readonly name: string;
  readonly query: string;
}

/** `device` is undefined for a phone, a tablet or a Chromebook, on which no agent runs. */
export interface Host {
  readonly id: number;
  readonly device: DeviceFacts | undefined;
}

const withoutAgent: readonly unknown[] = ['ios', 'ipados', 'android', 'chrome'];

/** Undefined where the answer is no count. */
export function parseCount(body: unknown): number | undefined {
  const count = readRecord(body)?.count;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

export function parsePolicies(body: unknown): PolicyFacts[] {
  return readRecords(readRecord(body)?.policies).map(({ id, name, query }) => {
    return { id: String(id), name: readString(name), query: readString(query) };
  });
}

/** Undefined where it is no page of hosts, each with its id. */
export function parseHosts(body: unknown, policy: string): Host[] | undefined {
  const rows = readRecord(body)?.hosts;
  const hosts = Array.isArray(rows) ? rows.map((row) => parseHost(readRecord(row), policy)) : [undefined];
  return hosts.every((host) => host !== undefined) ? hosts : undefined;
}

function parseHost(row: Readonly<Record<string, unknown>> = {}, policy: string): Host | undefined {
  const { id, platform } = row;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) {
    return undefined;
  }
  const reportedAt = readTime(row.policy_updated_at);
  const device = omitUndefined({
    id: String(id),
    operatingSystem: toOperatingSystem(platform),
    name: readText(row.computer_name),
    serialNumber: readText(row.hardware_serial),
    osVersion: readText(row.os_version),
    model: readText(row.hardware_model),
    lastSeenAt: readTime(row.seen_time),
    reportedAt,
    enrolledAt: readTime(row.last_enrolled_at),
    managementState: readText(readRecord(row.mdm)?.enrollment_status),
    site: readText(row.team_name),
    answers: readRecords(row.policies)
      .filter(({ name }) => name === policy)
      .map(({ response }) => omitUndefined({ value: boundText(readString(response)), at: reportedAt })),
  });
  return { id, device: withoutAgent.includes(platform) ? undefined : device };
}

/** Fleet names each distribution of Linux. */
function toOperatingSystem(platform: unknown): string {
  return platform === 'darwin' ? 'macos' : platform === 'windows' ? 'windows' : 'linux';
}
