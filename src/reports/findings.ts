/**
 * `findings.ndjson`: one line for each device that lacks the agent, as OCSF Compliance Finding (class 2003, schema
 * 1.8.0), for tools that collect findings. https://schema.ocsf.io/1.8.0/classes/compliance_finding
 *
 * A device without a line is not resolved by that: only a line with status 4 resolves it, and only a source that is
 * complete in this run has such lines.
 */
import type { DeviceFacts, Platform } from '../core/facts.ts';
import type { JudgedDevice, Night } from '../core/judged.ts';
import { compareCodePoints } from '../core/order.ts';
import type { ChangeKind, ExcludedBecause, Reason } from '../core/vocabulary.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { type Report, toBuffers } from './report.ts';

export const findingsReport: Report = {
  file: 'findings.ndjson',
  render: (night) => toBuffers(renderFindingLines(night)),
};

const classUid = 2003;
/** Activities: the finding is new, continues, is closed. */
const activityIds = { create: 1, update: 2, close: 3 } as const;
const statusIds = { new: 1, suppressed: 3, resolved: 4 } as const;
const severityIds = { informational: 1, low: 2, medium: 3 } as const;
/** `fail`: the platform said so clearly; `warning`: it did not. */
const resultIds = { pass: 1, warning: 2, fail: 3 } as const;

/** The words of the other reports. */
type FindingReason = Reason | ExcludedBecause | Extract<ChangeKind, 'moved' | 'removed'>;

interface OcsfFinding {
  readonly activity: keyof typeof activityIds;
  readonly status: keyof typeof statusIds;
  readonly severity: keyof typeof severityIds;
  readonly result: keyof typeof resultIds;
  readonly source: string;
  readonly platform: Platform;
  readonly device: DeviceFacts;
  readonly why: FindingReason;
  readonly since: string | undefined;
}

function* renderFindingLines(night: Night): Generator<string> {
  const findings = [
    ...night.devices.flatMap((device) => findOpenFindings(device, night)),
    ...findResolvedFindings(night),
  ];
  findings.sort(
    (left, right) => compareCodePoints(left.source, right.source) || compareCodePoints(left.device.id, right.device.id),
  );
  for (const finding of findings) {
    yield `${JSON.stringify(toOcsfRecord(finding, night))}\n`;
  }
}

/** Not Installed and counted, or exempted by a person. */
function findOpenFindings(device: JudgedDevice, night: Night): OcsfFinding[] {
  const isExempt = device.excludedBecause === 'exempt';
  if (device.status === 'Installed' || !(device.counted || isExempt)) {
    return [];
  }
  const isNew = device.notInstalledSince === night.slot;
  return [
    {
      activity: isNew ? 'create' : 'update',
      status: isExempt ? 'suppressed' : 'new',
      severity: device.proven && !isExempt ? 'medium' : 'low',
      result: device.proven ? 'fail' : 'warning',
      source: device.source,
      platform: device.platform,
      device: device.facts,
      why: device.reason,
      since: device.notInstalledSince,
    },
  ];
}

/** Got the agent, or left: only of sources that are complete in this run. */
function findResolvedFindings({ slot, sources, changes, state }: Night): OcsfFinding[] {
  const completeSources = sources.filter(({ soundness }) => soundness === 'complete').map(({ name }) => name);
  const closed = { activity: 'close', status: 'resolved', severity: 'informational', since: undefined } as const;
  const changed = changes
    .filter(({ source }) => completeSources.includes(source))
    .flatMap((change): OcsfFinding[] => {
      const { kind, source, platform, device, from, reason } = change;
      const isOut = kind === 'excluded' && from === 'Not Installed' && reason !== 'exempt';
      if (kind !== 'recovered' && !isOut) {
        return [];
      }
      const result = kind === 'recovered' ? 'pass' : 'warning';
      return [{ ...closed, result, source, platform, device, why: reason }];
    });
  const removed = new Set(changes.filter(({ kind }) => kind === 'removed').map(toDeviceUid));
  // A machine that came back under a new id has a finding under that one.
  const departed = state.sources
    .filter(({ name }) => completeSources.includes(name))
    .flatMap(({ name: source, departed }) =>
      departed
        .filter(({ leftOn, status, counted, excludedBecause }) => {
          return leftOn === slot && status === 'Not Installed' && (counted || excludedBecause === 'exempt');
        })
        .map(({ facts: device }): OcsfFinding => {
          const why = removed.has(toDeviceUid({ source, device })) ? 'removed' : 'moved';
          return { ...closed, result: 'warning', source, platform: device.platform, device, why };
        }),
    );
  return [...changed, ...departed];
}

function toDeviceUid({ source, device }: Pick<OcsfFinding, 'source' | 'device'>): string {
  return `device:${source}/${device.id}`;
}

function toOcsfRecord(finding: OcsfFinding, { slot, moment, agent, muster }: Night) {
  const { activity, status, severity, result, source, platform, device, why, since } = finding;
  const id = toDeviceUid(finding);
  const name = device.name ?? device.serialNumber ?? device.id;
  return {
    activity_id: activityIds[activity],
    category_uid: 2,
    class_uid: classUid,
    type_uid: classUid * 100 + activityIds[activity],
    time: Date.parse(moment),
    severity_id: severityIds[severity],
    status_id: statusIds[status],
    metadata: {
      version: '1.8.0',
      product: { name: 'Muster', version: muster },
      correlation_uid: slot,
    },
    finding_info: {
      uid: id,
      title: `${agent} is not installed`,
      ...omitUndefined({ first_seen_time: since === undefined ? undefined : Date.parse(`${since}T00:00:00Z`) }),
      last_seen_time: Date.parse(moment),
    },
    compliance: {
      control: `${agent} is installed`,
      status_id: resultIds[result],
      status_details: [why],
    },
    resources: [
      {
        uid: id,
        name,
        type: platform,
        ...omitUndefined({ owner: device.user === undefined ? undefined : { name: device.user } }),
        data: { source, device_id: device.id, serial_number: device.serialNumber },
      },
    ],
  };
}
