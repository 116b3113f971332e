/**
 * Alerts about rows of the exemptions and acknowledgements files that need a person. Each row has its own key, and a
 * row that is deleted takes its alert with it. No exemption silences them.
 */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { EventKind } from '../facts/event-kinds.ts';
import type { JudgedAcknowledgement, JudgedExemption } from '../facts/judged.ts';
import { findAcknowledgementProblem } from '../machine/acknowledgements.ts';
import { findExemptionProblem } from '../machine/exemptions.ts';
import { foldSerialNumber } from '../machine/serial-numbers.ts';
import type { AlertInput, SourceAlertInput } from './alert-input.ts';
import type { FiringAlert, RuleVerdict } from './alert-rule.ts';

interface RowReport {
  /** Fields that distinguish the row from others, so that a new date makes a new row. */
  readonly identity: readonly string[];
  /** The row as the noun of a sentence. */
  readonly subject: string;
  /** The source that it is limited to. */
  readonly source?: string | undefined;
  /** Whether this run's answers show what became of the row. */
  readonly isKnown: boolean;
  /** The reason why it needs a person; undefined where the row holds or another one renews it. */
  readonly problem: { readonly kind: EventKind; readonly text: string } | undefined;
}

export function decideExemptionAlerts({ exemptions, sources }: AlertInput): RuleVerdict {
  const latestExpiry = findLatestExpiry(exemptions);
  const reports = exemptions.map((row): RowReport => {
    const { source, match, value, owner, expires, result } = row;
    const concerned = sources.filter((input) => source === '' || input.source.name === source);
    const isAboutDevices = result === 'unmatched' || result === 'ambiguous' || result === 'active';
    const isInForce = result === 'active' || isRenewed(row, latestExpiry);
    return {
      identity: identifyRow([source, match, value, owner, expires], row.line),
      subject: describeExemption(row),
      source: source === '' ? undefined : source,
      isKnown: !isAboutDevices || areDevicesKnown(concerned),
      problem: isInForce ? undefined : { kind: `exemption.${result}`, text: exemptionTexts[result](row) },
    };
  });
  return decideRowAlerts('exemption:', reports);
}

function describeExemption({ match, value, line }: JudgedExemption): string {
  return match === '' && line !== undefined ? `The exemption in line ${line}` : `The exemption of ${match} "${value}"`;
}

/** A sentence that says why an invalid row is ignored, with its line where `subject` does not name it yet. */
function describeIgnored(subject: string, line: number | undefined, problem: string | undefined): string {
  const place = line === undefined || subject.endsWith(` line ${line}`) ? '' : ` in line ${line}`;
  return `${subject}${place} is ignored: ${problem}.`;
}

/** The fields that distinguish a row; its line, which moves with every row above it, where all of them are empty. */
function identifyRow(fields: readonly string[], line: number | undefined): readonly string[] {
  return line !== undefined && fields.every((field) => field === '') ? [`line ${line}`] : fields;
}

const exemptionTexts: Readonly<Record<Exclude<JudgedExemption['result'], 'active'>, (row: JudgedExemption) => string>> =
  {
    expiring: (row) => `${describeExemption(row)} (${row.owner}) ends after ${row.expires}.`,
    expired: (row) =>
      `${describeExemption(row)} (${row.owner}) ended on ${row.expires}; what it exempted is counted again.`,
    unmatched: (row) => `${describeExemption(row)} (${row.owner}) fits no device.`,
    ambiguous: (row) =>
      `${describeExemption(row)} (${row.owner}) fits ${row.devices} devices and therefore exempts none.`,
    invalid: (row) => describeIgnored(describeExemption(row), row.line, findExemptionProblem(row)),
  };

/** The latest date until which a valid row exempts something, by what the row matches. */
function findLatestExpiry(rows: readonly JudgedExemption[]): ReadonlyMap<string, string> {
  const latest = new Map<string, string>();
  for (const row of rows) {
    const key = toMatchKey(row);
    if ((row.result === 'active' || row.result === 'expiring') && row.expires > (latest.get(key) ?? '')) {
      latest.set(key, row.expires);
    }
  }
  return latest;
}

function toMatchKey({ source, match, value }: JudgedExemption): string {
  return JSON.stringify([source, match, match === 'serial' ? foldSerialNumber(value) : value]);
}

/** Another row exempts the same for longer. Rows of users never count: omitted users cannot be told apart. */
function isRenewed(row: JudgedExemption, latestExpiry: ReadonlyMap<string, string>): boolean {
  const isDated = row.result === 'expired' || row.result === 'expiring';
  return isDated && row.match !== 'user' && (latestExpiry.get(toMatchKey(row)) ?? '') > row.expires;
}

export function decideAcknowledgementAlerts({ acknowledgements, sources }: AlertInput): RuleVerdict {
  const isFleetKnown = areDevicesKnown(sources);
  const active = acknowledgements.filter(({ result }) => result === 'active');
  const held = new Set(active.map(({ serial }) => foldSerialNumber(serial)));
  const reports = acknowledgements.map((row): RowReport => {
    const { serial, by, until, ticket, result } = row;
    const isInForce = result === 'active' || (result === 'expired' && held.has(foldSerialNumber(serial)));
    return {
      // A changed note leaves the row the same.
      identity: identifyRow([serial, by, until, ticket], row.line),
      subject: describeAcknowledgement(row),
      isKnown: isFleetKnown || (result !== 'unmatched' && result !== 'active'),
      problem: isInForce ? undefined : { kind: `acknowledgement.${result}`, text: acknowledgementTexts[result](row) },
    };
  });
  return decideRowAlerts('acknowledgement:', reports);
}

function describeAcknowledgement({ serial, line }: JudgedAcknowledgement, ...more: readonly string[]): string {
  const who = more.filter((text) => text !== '').join(', ');
  const name = serial === '' && line !== undefined ? `in line ${line}` : `of serial "${serial}"`;
  return `The acknowledgement ${name}${who === '' ? '' : ` (${who})`}`;
}

const describeFully = (row: JudgedAcknowledgement) => describeAcknowledgement(row, row.by, row.ticket);

const acknowledgementTexts: Readonly<
  Record<Exclude<JudgedAcknowledgement['result'], 'active'>, (row: JudgedAcknowledgement) => string>
> = {
  expired: (row) => `${describeFully(row)} ended on ${row.until}; its device is named in reminders again.`,
  unmatched: (row) => `${describeFully(row)} fits no device.`,
  invalid: (row) => describeIgnored(describeFully(row), row.line, findAcknowledgementProblem(row)),
};

/** Whether the answers of all sources are complete and plausible enough to say which rows fit a device. */
function areDevicesKnown(sources: readonly Pick<SourceAlertInput, 'source'>[]): boolean {
  return sources.every(({ source: { soundness } }) => soundness === 'complete' || soundness === 'untrusted');
}

function decideRowAlerts(prefix: string, reports: readonly RowReport[]): RuleVerdict {
  // A row that the file has twice is reported once.
  const rows = new Map<string, RowReport>();
  for (const report of reports) {
    const key = prefix + JSON.stringify(report.identity);
    rows.set(key, rows.get(key) ?? report);
  }
  const firing = [...rows].flatMap(([key, { isKnown, problem, subject, source }]): FiringAlert[] =>
    isKnown && problem !== undefined
      ? [{ key, kind: problem.kind, details: { text: problem.text, subject, ...omitUndefined({ source }) } }]
      : [],
  );
  return { prefix, firing, isUnknown: (key) => rows.get(key)?.isKnown === false };
}
