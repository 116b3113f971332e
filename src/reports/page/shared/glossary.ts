/** Terms of the reports with their meanings; the page links to them wherever it uses them. */
import {
  answersProofs,
  changes as changeWords,
  checkResults,
  exclusions,
  exemptionResults,
  groupVerdicts,
  listSoundnessWords,
  reasons,
  soundnessWords,
  statuses,
  unprovenReasons,
} from '../../../core/facts/vocabulary.ts';

export const glossary: readonly {
  readonly group: string;
  readonly name: string;
  readonly words: Readonly<Record<string, { readonly meaning: string }>>;
}[] = [
  {
    group: 'status',
    name: 'Status and proof',
    words: {
      ...statuses,
      proven: { meaning: 'A clear, recent answer, and the detection method that gave it is sound.' },
      stale: {
        meaning:
          'The device has not reported for longer than the policy allows. Its status is kept, but proves nothing.',
      },
      overdue: { meaning: 'Not Installed for as long as the policy allows, or longer.' },
      counted: { meaning: 'Part of coverage. Devices that are not counted are listed with the reason.' },
    },
  },
  { group: 'reason', name: 'Reasons', words: reasons },
  { group: 'unproven', name: 'Not proven because', words: unprovenReasons },
  { group: 'excluded', name: 'Not counted because', words: exclusions },
  { group: 'soundness', name: 'Data quality by source', words: bestFirst(soundnessWords) },
  { group: 'proof', name: 'Completeness of the app reports', words: bestFirst(answersProofs) },
  { group: 'change', name: 'Changes', words: changeWords },
  { group: 'verdict', name: 'Groups', words: groupVerdicts },
  { group: 'result', name: 'Checks and exemptions', words: { ...checkResults, ...exemptionResults } },
  {
    group: 'list',
    name: 'Lists of machines',
    words: {
      'enrolled nowhere': { meaning: 'On the list of expected machines, and in no source: unmanaged.' },
      'not on the list': { meaning: 'In a source, and not on the list of expected machines.' },
      'not checking in': { meaning: 'Installed, and not seen by its console for as long as the policy allows.' },
      'have it and check in': { meaning: 'Installed, and seen by its console lately: stricter than the headline.' },
      ...bestFirst(listSoundnessWords),
    },
  },
];

function bestFirst<Word>(words: Readonly<Record<string, Word>>): Readonly<Record<string, Word>> {
  return Object.fromEntries(Object.entries(words).reverse());
}
