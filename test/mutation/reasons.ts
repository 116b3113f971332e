/** Why a survivor is no gap: the changed program does the same, or what differs is nothing that anybody relies on. */
import type { Survivor } from './figures.ts';

export interface Reason {
  /** Of one file; without it, of all. */
  readonly file?: string;
  /** As in figures.json. */
  readonly code: string | RegExp;
  /** Where not every change of the code has this reason. */
  readonly instead?: string;
  readonly reason: string;
}

const savesWork = 'Saves work only: the same comes out of the loop that follows.';

export const reasons: readonly Reason[] = [
  { file: 'src/core/acknowledgements.ts', code: 'rows.length === 0', reason: savesWork },
  { file: 'src/core/acknowledgements.ts', code: 'acknowledged.size === 0', instead: 'false', reason: savesWork },
  {
    file: 'src/core/baseline.ts',
    code: 'departed.length <= most',
    reason: 'A list that is no longer than the limit is its own last part.',
  },
  {
    file: 'src/core/breaker.ts',
    code: 'part > 0',
    reason: 'None is never above a limit, which is 0 at least.',
  },
  { file: 'src/core/canaries.ts', code: 'canaries.length === 0', instead: 'false', reason: savesWork },
  {
    file: 'src/core/classify.ts',
    code: 'false',
    instead: 'true',
    reason: 'A device that never answered cannot be proven, contradicted or not.',
  },
  {
    file: 'src/core/classify.ts',
    code: 'compareAnswers(answer, best, rules) > 0',
    reason: 'Answers that compare as equal are equal in every field.',
  },
  {
    file: 'src/core/duplicates.ts',
    code: 'newest !== record',
    instead: 'true',
    reason: 'A record is never newer than itself.',
  },
  {
    file: 'src/core/duplicates.ts',
    code: 'compareEnrolments(newest, record) > 0',
    instead: 'compareEnrolments(newest, record) >= 0',
    reason: 'No two records compare as equal: their ids or sources differ.',
  },
  {
    file: 'src/core/duplicates.ts',
    code: 'compareEnrolments(record, newest) > 0',
    reason: 'No two records compare as equal: their ids or sources differ.',
  },
  { file: 'src/core/exemptions.ts', code: 'rows.length === 0', reason: savesWork },
  {
    file: 'src/core/listing.ts',
    code: 'tonight.of === 0',
    instead: 'false',
    reason: 'Of no devices none can lack.',
  },
  { file: 'src/core/serial-numbers.ts', code: '/^[A-Z0-9]*$/.test(serialNumber)', instead: 'false', reason: savesWork },
  { file: 'src/core/serial-numbers.ts', code: '{ return serialNumber; }', reason: savesWork },
  { file: 'src/core/serial-numbers.ts', code: '/^[A-Z0-9]*$/', instead: '/^[A-Z0-9]$/', reason: savesWork },
  {
    file: 'src/core/acknowledgements.ts',
    code: "''",
    reason:
      'A device without a serial number fits no row: a row that is empty, or holds no letter or digit, is invalid.',
  },
  {
    file: 'src/core/canaries.ts',
    code: "''",
    reason: 'A device without a serial number is no canary: the settings refuse one without.',
  },
  {
    file: 'src/core/instrument.ts',
    code: 'Date.parse(receipt.ended) > Date.parse(moment)',
    reason: 'Of two equal times either is the later.',
  },
  {
    file: 'src/core/share-texts.ts',
    code: /texts|known/,
    reason: 'Saves memory only: a text that is shared equals the one that it replaces.',
  },
  {
    code: /^(['"`]).* .*\1$/,
    instead: '""',
    reason: 'The wording of a sentence: tests hold that it is said, not each word.',
  },
  {
    code: /^`.* .*`$/,
    instead: '``',
    reason: 'The wording of a sentence, with the values in it.',
  },
];

export function findReason({ file, code, instead }: Survivor): Reason | undefined {
  return reasons.find(
    (reason) =>
      (reason.file === undefined || reason.file === file) &&
      (typeof reason.code === 'string' ? reason.code === code : reason.code.test(code)) &&
      (reason.instead === undefined || reason.instead === instead),
  );
}
