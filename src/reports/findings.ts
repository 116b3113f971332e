/**
 * `findings.ndjson`: one line for each device that lacks the agent, as OCSF Compliance Finding (class 2003, schema
 * 1.8.0; nothing in it is newer than 1.6.0), for tools that collect findings.
 * https://schema.ocsf.io/1.8.0/classes/compliance_finding
 *
 * A missing line does not resolve a device: only a line with status 4 does. A source has such lines where it is
 * complete in this run, and where it was removed from the settings.
 */

import { escapeUnsafeCharacters } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { toDeviceAlertKey } from '../core/facts/alert-event.ts';
import type { EndedFinding, JudgedDevice, Night } from '../core/facts/judged.ts';
import { hasFinding } from '../core/ledger/findings.ts';
import { readValueTime } from '../core/record/judge-record.ts';
import { isAnswerProven } from '../core/record/proof.ts';
import { compareCodePoints } from '../core/text/order.ts';
import { isVisible } from '../core/text/visible-text.ts';
import { type Report, toBuffers } from './report.ts';

export const findingsReport: Report = {
  file: 'findings.ndjson',
  render: (night) => toBuffers(renderFindingLines(night)),
};

const classUid = 2003;
const activityIds = { create: 1, update: 2, close: 3 } as const;
const statusIds = { new: 1, suppressed: 3, resolved: 4 } as const;
const severityIds = { informational: 1, low: 2, medium: 3 } as const;
/** Ids of results. `fail`: the platform said so clearly; `warning`: it did not. */
const resultIds = { pass: 1, warning: 2, fail: 3 } as const;

interface OcsfFinding extends Omit<EndedFinding, 'isPassing'> {
  readonly activity: keyof typeof activityIds;
  readonly status: keyof typeof statusIds;
  readonly severity: keyof typeof severityIds;
  readonly result: keyof typeof resultIds;
  readonly since: string | undefined;
}

function* renderFindingLines(night: Night): Generator<string> {
  const opens = new Set(night.state.ledger.flatMap(({ name, listedOn }) => (listedOn === night.slot ? name : [])));
  const ended = new Set(night.findings.ended.map(({ machine }) => machine));
  const goOn = new Set([...night.findings.known].filter((machine) => !ended.has(machine)));
  const findings = [
    ...night.devices.flatMap((device) => findOpenFindings(device, opens, goOn)),
    ...findResolvedFindings(night),
  ];
  findings.sort(
    (left, right) => compareCodePoints(left.source, right.source) || compareCodePoints(left.device.id, right.device.id),
  );
  for (const finding of findings) {
    yield `${escapeUnsafeCharacters(JSON.stringify(toOcsfRecord(finding, night)))}\n`;
  }
}

/** The open finding of a device, if any; `opens` are machines whose entry is updated, `goOn` those with an open finding. */
function findOpenFindings(device: JudgedDevice, opens: ReadonlySet<string>, goOn: ReadonlySet<string>): OcsfFinding[] {
  const isKnown = goOn.has(device.machine);
  if (!hasFinding(device.judgement) || !(isKnown || opens.has(device.machine))) {
    return [];
  }
  const isExempt = device.judgement.excludedBecause === 'exempt';
  return [
    {
      activity: isKnown ? 'update' : 'create',
      status: isExempt ? 'suppressed' : 'new',
      severity: isAnswerProven(device.judgement) && !isExempt ? 'medium' : 'low',
      result: isAnswerProven(device.judgement) ? 'fail' : 'warning',
      machine: device.machine,
      source: device.source,
      operatingSystem: device.facts.operatingSystem,
      device: device.facts,
      answeredAt: readValueTime(device),
      why: device.judgement.reason,
      since: device.judgement.notInstalledSince,
    },
  ];
}

/** Findings that ended: with the agent, out of scope, under another record, gone, or with the source. */
function findResolvedFindings({ findings }: Night): OcsfFinding[] {
  const closed = { activity: 'close', status: 'resolved', severity: 'informational', since: undefined } as const;
  return findings.ended.map((ended) => ({ ...closed, ...ended, result: ended.isPassing ? 'pass' : 'warning' }));
}

function toOcsfRecord(finding: OcsfFinding, { slot, moment, agent, muster }: Night) {
  const { activity, status, severity, result, machine, source, operatingSystem, device } = finding;
  const { answeredAt, why, since } = finding;
  const id = toDeviceAlertKey(machine);
  const name = [device.name, device.serialNumber].find((text) => text !== undefined && isVisible(text)) ?? device.id;
  const lastSeenAt = answeredAt ?? device.lastSeenAt;
  return {
    activity_id: activityIds[activity],
    category_uid: 2,
    class_uid: classUid,
    type_uid: classUid * 100 + activityIds[activity],
    time: Date.parse(moment),
    severity_id: severityIds[severity],
    status_id: statusIds[status],
    metadata: { version: '1.8.0', product: { name: 'Muster', version: muster }, correlation_uid: slot },
    finding_info: {
      uid: id,
      title: `${agent} is not installed`,
      ...omitUndefined({ first_seen_time: since === undefined ? undefined : Date.parse(`${since}T00:00:00Z`) }),
      ...omitUndefined({ last_seen_time: lastSeenAt === undefined ? undefined : Date.parse(lastSeenAt) }),
    },
    compliance: { control: `${agent} is installed`, status_id: resultIds[result], status_details: [why] },
    resources: [
      {
        uid: id,
        name,
        type: operatingSystem,
        ...omitUndefined({ owner: device.user === undefined ? undefined : { name: device.user } }),
        data: { source, device_id: device.id, serial_number: device.serialNumber },
      },
    ],
  };
}
