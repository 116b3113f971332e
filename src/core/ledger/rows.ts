/** The rows of a run: each record with the conclusions from it and from the other records of its machine. */

import type { Acknowledgement } from '../facts/company.ts';
import { createInterner } from '../facts/device-fields.ts';
import type { JudgedAcknowledgement, JudgedDevice, Judgement } from '../facts/judged.ts';
import { findAcknowledgement, indexAcknowledgements } from '../machine/acknowledgements.ts';
import type { JudgedRecord } from '../record/judge-record.ts';
import { findFirstReason } from '../record/proof.ts';
import { toReference, toSourceKey } from '../record/references.ts';
import type { NamedMachine } from './entries.ts';
import type { LedgerRun } from './ledger.ts';

interface RowContext {
  readonly run: LedgerRun;
  /** Keyed by folded serial number. */
  readonly acknowledged: ReadonlyMap<string, Acknowledgement>;
}

/** Builds the rows, in the order of the records. */
export function buildRows(
  records: readonly JudgedRecord[],
  machines: readonly NamedMachine[],
  run: LedgerRun,
  acknowledgements: readonly JudgedAcknowledgement[],
): JudgedDevice[] {
  const context = { run, acknowledged: indexAcknowledgements(acknowledgements) };
  const byRecord = new Map<JudgedRecord, NamedMachine>();
  for (const one of machines) {
    for (const record of one.machine.records) {
      byRecord.set(record, one);
    }
  }
  const interners = new Map<string, (judgement: Judgement) => Judgement>();
  return records.flatMap((record) => {
    const machine = byRecord.get(record);
    if (machine === undefined) {
      return [];
    }
    const { source, facts } = record;
    // The rules are the same for all devices of a source.
    const intern = interners.get(source) ?? createInterner(toJudgementKey);
    interners.set(source, intern);
    return { source, facts, judgement: intern(judgeRow(record, machine, context)), machine: machine.name };
  });
}

function toJudgementKey({ rules: _, supersededBy, acknowledgement, ...flat }: Judgement): string {
  return supersededBy === undefined && acknowledgement === undefined
    ? Object.values(flat).join()
    : JSON.stringify([flat, supersededBy, acknowledgement]);
}

function judgeRow(record: JudgedRecord, machine: NamedMachine, context: RowContext): Judgement {
  const { standing, contradicting } = machine.machine;
  const { status, reason, answerIndex, unprovenBecause, stale, isBeforeRepair } = record.answer;
  const stands = record === standing;
  const isContradicted = stands && contradicting !== undefined;
  const isUntrusted = context.run.soundness.get(toSourceKey(toReference(record))) === 'untrusted';
  const answeredOn = record.answeredOn ?? context.run.slot;
  // The record's own reason comes first, then its superseding record, then the exemption.
  const excludedBecause = record.exclusion ?? (stands ? machine.excludedBecause : 'superseded');
  return {
    rules: record.rules,
    status,
    reason,
    answerIndex,
    unprovenBecause: findFirstReason(
      unprovenBecause,
      // A detection method that is not sound is already the record's own reason; what remains is a wrong canary.
      isUntrusted ? 'canary-wrong' : undefined,
      isContradicted ? 'contradicted' : undefined,
    ),
    stale,
    isBeforeRepair,
    unread: record.unread,
    isContradicted,
    counted: excludedBecause === undefined,
    excludedBecause,
    supersededBy: stands ? undefined : { source: standing.source, id: standing.facts.id },
    notInstalledSince: status === 'Installed' ? undefined : (machine.before?.notInstalledSince ?? answeredOn),
    answeredOn: record.answeredOn,
    acknowledgement: findAcknowledgement(record.facts, context.acknowledged),
  };
}
