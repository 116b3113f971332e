/** Alerts about sources as a whole: answers that are not sound, and deployments that differ from their documentation. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type AlertDetails, type EventDevice, maximumNamedDevices, removedReason } from '../facts/alert-event.ts';
import type { CheckResult } from '../facts/facts.ts';
import type { JudgedSource } from '../facts/judged.ts';
import { isWhole, type Soundness } from '../facts/vocabulary.ts';
import { isCanaryCheck } from '../source/canaries.ts';
import { formatFinding } from '../source/instrument.ts';
import { countDaysBetween } from '../time/calendar.ts';
import {
  type AlertInput,
  describeWhere,
  type SourceAlertInput,
  toDeviceIdentity,
  toEventDevice,
} from './alert-input.ts';
import type { FiringAlert, RuleVerdict } from './alert-rule.ts';
import { endWith } from './reconcile.ts';

/** Reports a source that is not sound in each run: in full when that begins or has another cause, otherwise in one line. */
export function decideSoundnessAlerts({ sources, facts, open }: AlertInput): RuleVerdict {
  const prefix = 'source:';
  const names = new Set(sources.map(({ source }) => `${prefix}${source.name}`));
  return {
    prefix,
    firing: sources.flatMap((input) => {
      const key = `${prefix}${input.source.name}`;
      return decideUnsoundness(input, key, open.get(key)?.since ?? facts.slot, facts.slot);
    }),
    isUnknown: () => false,
    describeEnd: (alert) => {
      const { source, platform } = alert.details;
      const details = omitUndefined({ source, platform });
      return names.has(alert.key)
        ? { kind: 'source.sound-again', details }
        : endWith(alert, `Its source ${source} was removed from the settings.`);
    },
  };
}

function decideUnsoundness(input: SourceAlertInput, key: string, since: string, slot: string): FiringAlert[] {
  const { source } = input;
  const { soundness } = source;
  if (soundness === 'complete') {
    return [];
  }
  const details = describeUnsoundness(input);
  const { text: _, first: __, ...brief } = details;
  const repeated = { ...brief, text: formatStillUnsound(source, soundness, countDaysBetween(since, slot) + 1) };
  return [{ key, kind: `source.${soundness}`, about: describeCause(source), since, details, repeated }];
}

/** The cause without its numbers, which differ from run to run; at most 300 characters. */
function describeCause({ problem }: JudgedSource): string {
  const text = (problem?.message ?? '').replaceAll(/\d+/g, '#').slice(0, 300);
  return JSON.stringify([findStatus(problem), text]);
}

function findStatus(problem: JudgedSource['problem']): string | undefined {
  return /\bHTTP \d{3}\b/.exec(problem?.message ?? '')?.[0] ?? problem?.code;
}

function describeUnsoundness(input: SourceAlertInput): AlertDetails {
  const { soundness, problem, receipt } = input.source;
  const { claimed, received } = receipt;
  const affected = listAffectedDevices[soundness]?.(input);
  return {
    ...describeWhere(input.source),
    ...omitUndefined({ text: problem?.message }),
    figures: { received, ...omitUndefined({ claimed, affected: affected?.length }) },
    ...omitUndefined({ first: affected?.slice(0, maximumNamedDevices) }),
  };
}

/** The devices that the message names. */
const listAffectedDevices: Readonly<Partial<Record<Soundness, (input: SourceAlertInput) => readonly EventDevice[]>>> = {
  suspect: listImplausibleDevices,
  partial: ({ devices }) =>
    devices.filter(({ judgement }) => judgement.unread !== undefined).map((device) => toEventDevice(device)),
};

/** The devices behind the numbers that tripped the breaker: lost ones first, then those that are gone. */
function listImplausibleDevices({ changes }: SourceAlertInput): EventDevice[] {
  const kinds = ['lost', 'removed', 'excluded', 'recovered'] as const;
  const chosen = kinds.flatMap((kind) => changes.filter((change) => change.kind === kind));
  return chosen.map(({ device, to, from, reason }) => ({
    ...toDeviceIdentity(device),
    status: to ?? from ?? ('Not Installed' as const),
    reason: to === undefined ? removedReason : reason,
  }));
}

type Unsound = Exclude<JudgedSource['soundness'], 'complete'>;

const unsoundnessSentences: Readonly<Record<Unsound, string>> = {
  missing: 'still no complete answer from',
  carried: 'still no complete answer from',
  untrusted: 'still nothing proven of',
  suspect: 'still an implausible answer from',
  partial: 'still devices that could not be read of',
};

/** A line such as `still no complete answer from macs, 3rd day, HTTP 401`. */
function formatStillUnsound({ name, problem }: JudgedSource, soundness: Unsound, day: number): string {
  const status = findStatus(problem);
  const cause = status === undefined ? '' : `, ${status}`;
  return `${unsoundnessSentences[soundness]} ${name}, ${formatOrdinal(day)} day${cause}`;
}

function formatOrdinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** Reports failing checks that do not decide about values. A check that could not be read neither opens nor ends an alert. */
export function decideDriftAlerts({ sources }: AlertInput): RuleVerdict {
  const prefix = 'deployment:';
  const checks = new Map<string, { readonly source: JudgedSource; readonly finding: CheckResult }>(
    sources.flatMap(({ source }) =>
      source.findings.map((finding) => [`${prefix}${source.name}/${finding.check}`, { source, finding }] as const),
    ),
  );
  return {
    prefix,
    firing: [...checks].flatMap(([key, { source, finding }]): FiringAlert[] => {
      const details = { ...describeWhere(source), text: formatFinding(finding), subject: finding.check };
      return isDrift(finding) ? [{ key, kind: 'deployment.drift', details }] : [];
    }),
    isUnknown: (key) => {
      const check = checks.get(key);
      if (check !== undefined) {
        return check.finding.result === 'unknown' || check.finding.result === 'fail';
      }
      return sources.some(({ source }) => key.startsWith(`${prefix}${source.name}/`) && !isWhole(source.soundness));
    },
  };
}

/** Whether a failing check is a difference of the deployment. Instrument checks and canaries make their source untrusted. */
function isDrift({ check, result, instrument }: CheckResult): boolean {
  return result === 'fail' && !instrument && !isCanaryCheck({ check });
}
