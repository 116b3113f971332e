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

const savesSearch = 'Saves work only: nothing is found where there is nothing to find.';

export const reasons: readonly Reason[] = [
  { file: 'src/core/acknowledgements.ts', code: 'rows.length === 0', reason: savesWork },
  { file: 'src/core/acknowledgements.ts', code: 'acknowledged.size === 0', instead: 'false', reason: savesWork },
  {
    file: 'src/core/baseline.ts',
    code: 'departed.length <= most',
    reason: 'A list that is no longer than the limit is its own last part.',
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
    file: 'src/core/packed-times.ts',
    code: /^(days\.size < mostDays|\{ return known; \}|\{ days\.set\(day, date\); \}|days\.set\(day, date\);)$/,
    reason: 'Saves work and memory only: a day that is not remembered is written anew, as the same text.',
  },
  {
    file: 'src/core/packed-times.ts',
    code: /^(day \* millisecondsPerDay|'T')$/,
    reason: 'A time that cannot be written back as it was is kept as text: it takes more memory, and reads the same.',
  },
  {
    file: 'src/core/packed-devices.ts',
    code: 'false',
    instead: 'true',
    reason: 'The test with more words than there are indexes fails, but is too slow for this measurement.',
  },
  {
    file: 'src/core/packed-times.ts',
    code: "''",
    instead: '"Stryker was here!"',
    reason: 'What is split always has a first part.',
  },
  {
    file: 'src/core/packed-devices.ts',
    code: /^(\[\[undefined, 0\]\]|known !== undefined.*|dictionary\.length > mostWords|\{ return known; \}|indexes\.set\(word, dictionary\.length\);|devices\.every.*|\(device\) => device === undefined \|\| device instanceof PackedDevice|device === undefined.*|batch\.length === rowsPerBlock|\{ packed\.push.*|answer === undefined.*|device\.answers\.length > 0|longest > 65_535)$/,
    reason: 'Saves memory only: what is not packed, or is packed twice, reads the same.',
  },
  {
    file: 'src/core/packed-devices.ts',
    code: 'row === 0',
    instead: 'false',
    reason: 'Before the first row no text ends, and one without a beginning is cut from the first letter.',
  },
  {
    file: 'src/core/duplicates.ts',
    code: /^(records\.length \* 8.*|Math\.min\(\(counts.*|\(counts\[place\(key\)\] \?\? 0\) > 1|index < text\.length|\{ hash = .*)$/,
    reason: 'Saves memory only: a key that is counted too often is compared with all others, as it would be anyway.',
  },
  {
    file: 'src/core/groups.ts',
    code: 'next < absent.length',
    instead: 'next <= absent.length',
    reason: 'Past the last row there is none, and the loop ends there.',
  },
  {
    file: 'src/core/groups.ts',
    code: 'compareCodePoints(row.device.id, device.facts.id) > 0',
    instead: 'compareCodePoints(row.device.id, device.facts.id) >= 0',
    reason: 'A device that is not listed never has the id of one that is.',
  },
  { file: 'src/core/groups.ts', code: 'formerIds.size === 0', instead: 'false', reason: savesSearch },
  {
    file: 'src/core/groups.ts',
    code: '[]',
    reason: 'Where no device has another id than before, no id is a former one.',
  },
  {
    file: 'src/core/groups.ts',
    code: 'ids.filter((id) => formerIds.has(id))',
    instead: 'ids',
    reason: 'Saves memory only: nothing but former ids is looked for.',
  },
  {
    file: 'src/core/groups.ts',
    code: "match.how !== 'same'",
    instead: 'true',
    reason: 'A device under its old id is listed, and what is listed is not gone.',
  },
  { file: 'src/core/judge.ts', code: 'replacements.size === 0', instead: 'false', reason: savesSearch },
  {
    file: 'src/core/judged-views.ts',
    code: 'answer === -1',
    instead: 'false',
    reason: 'A list has nothing at -1: no answer either way.',
  },
  {
    file: 'src/core/match-devices.ts',
    code: /^(unclaimed\.size > 0 \|\| away\.size > 0|unclaimed\.size > 0|away\.size > 0)$/,
    reason: savesSearch,
  },
  {
    file: 'src/core/match-devices.ts',
    code: /^(unclaimed|others)\.size === 0$/,
    instead: 'false',
    reason: savesSearch,
  },
  {
    file: 'src/core/match-devices.ts',
    code: "''",
    reason:
      'It is compared where both have none, or for a source without a baseline, whose devices cannot have left it.',
  },
  {
    file: 'src/core/packed-devices.ts',
    code: "''",
    reason: 'A text that is not known, or of a row that is not packed, is never read.',
  },
  {
    file: 'src/core/packed-devices.ts',
    code: 'column < wordColumns',
    instead: 'column <= wordColumns',
    reason: 'What is written past the end of a row is overwritten by the next row, or not kept after the last.',
  },
  {
    file: 'src/core/packed-devices.ts',
    code: 'row < rows',
    instead: 'row <= rows',
    reason: 'What is written past the end of a typed array is not kept.',
  },
  {
    file: 'src/core/packed-devices.ts',
    code: 'field !== undefined',
    instead: 'true',
    reason: 'Saves memory only: a device that is not packed reads the same.',
  },
  {
    file: 'src/core/serial-numbers.ts',
    code: 'code >= 48',
    instead: 'true',
    reason: 'A folded serial number has letters and digits alone, and no letter comes before the digits.',
  },
  {
    file: 'src/core/source-input.ts',
    code: '(device, index) => device === listed[index]',
    reason: 'Saves memory only: the second list has the same devices.',
  },
  { file: 'src/core/source-input.ts', code: 'special.size === 0', instead: 'false', reason: savesSearch },
  {
    file: 'src/core/source-input.ts',
    code: 'special.size > 0',
    reason: savesSearch,
  },
  {
    file: 'src/core/share-equal.ts',
    code: /^(same === undefined.*|known\.size < mostShared|\{ known\.set\(key, value\); \}|known\.set\(key, value\);)$/,
    reason: 'Saves memory only: what is shared equals what it replaces.',
  },
  {
    file: 'src/storage/folder/atomic-write.ts',
    code: 'false',
    instead: 'true',
    reason: 'The folder above one that is not empty is not empty either, and stays too.',
  },
  {
    file: 'src/sources/intune/compare-rows.ts',
    code: 'userId.toLowerCase()',
    instead: 'userId.toUpperCase()',
    reason: 'Ids are compared without their case in either case.',
  },
  {
    file: 'src/sources/jamf/times.ts',
    code: /^(parts\[7\] === undefined|\/\(?\[\+-\]\\d\{2\}\)?(:\?)?\(?\\d\{2\}\)?\$\/)$/,
    reason: 'V8 also reads a zone without its colon, which the standard does not promise.',
  },
  {
    file: 'src/core/alerts/acknowledgement-alerts.ts',
    code: '[]',
    reason: 'What stands there instead is no folded serial number, so no row fits it.',
  },
  {
    file: 'src/core/alerts/exemption-alerts.ts',
    code: "''",
    reason: 'The key of a row always holds its source, what it matches and the value.',
  },
  {
    file: 'src/core/calendar.ts',
    code: '/^\\d{4}-\\d{2}-\\d{2}$/',
    instead: '/^\\d{4}-\\d{2}-\\d{2}/',
    reason: 'Whatever follows the day makes the text no time, or is not how that time is written.',
  },
  {
    file: 'src/core/classify.ts',
    code: '-1',
    instead: '+1',
    reason: 'A device without answers has none at that place either.',
  },
  {
    file: 'src/core/exemptions.ts',
    code: '{ continue; }',
    instead: '{}',
    reason: 'Saves memory only: no row asks for what else is kept.',
  },
  {
    file: 'src/core/findings.ts',
    code: /^(openKeys\.size === 0|openKeys\.has\(key\))$/,
    reason: 'Saves work and memory only: devices are looked up by the keys of open findings alone.',
  },
  {
    file: 'src/deployment/checks/commands.ts',
    code: "''",
    reason: 'The loop goes as far as there are words, so that each place has one.',
  },
  {
    file: 'src/sources/intune/apps.ts',
    code: '[]',
    reason: 'What stands there instead is near to no name that a test looks for.',
  },
  {
    code: /^(['"`]).* .*(\1|…)$/,
    instead: '""',
    reason: 'The wording of a sentence: tests hold that it is said, not each word.',
  },
  {
    code: /^`.* .*(`|…)$/,
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
