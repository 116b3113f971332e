/** Under which heading a kind of event is told, and what it asks of a person: in the order in which to read them. */
import type { NewsKind } from './severity.ts';

export interface Heading {
  readonly kinds: readonly NewsKind[];
  readonly title: string;
  readonly ask: string;
  /** Also holds what is over and has no kind of its own for that. */
  readonly over?: true;
}

export const headings: readonly Heading[] = [
  {
    kinds: ['source.missing', 'source.carried', 'source.untrusted', 'source.suspect'],
    title: 'The number is not the whole truth',
    ask: 'Find out why before you rely on the figures.',
  },
  { kinds: ['channel.undelivered'], title: 'A channel is silent', ask: 'Repair it: nobody hears what it should say.' },
  { kinds: ['coverage.below'], title: 'Coverage is below the minimum', ask: 'Chase the devices in the report.' },
  { kinds: ['device.lost'], title: 'Lost the agent', ask: 'Ask why it went, and put it back.' },
  { kinds: ['device.new-not-installed'], title: 'New without the agent', ask: 'Install it.' },
  { kinds: ['device.overdue'], title: 'Still without the agent', ask: 'Chase these, or exempt them with a reason.' },
  {
    kinds: ['count.left'],
    title: 'Left the count without the agent',
    ask: 'Nobody installed anything: check that each is meant to be out.',
  },
  {
    kinds: ['measurement.changed', 'deployment.drift'],
    title: 'The measurement or the deployment changed',
    ask: 'Check whether somebody meant this.',
  },
  {
    kinds: [
      'exemption.expiring',
      'exemption.expired',
      'exemption.unmatched',
      'exemption.ambiguous',
      'exemption.invalid',
    ],
    title: 'Exemptions',
    ask: 'Renew, mend or remove these rows.',
  },
  { kinds: ['source.left'], title: 'Out of the settings', ask: 'Nothing to do, if somebody meant this.' },
  { kinds: ['baseline'], title: 'First night', ask: 'From now on, changes are told.' },
  { kinds: ['device.recovered'], title: 'Got the agent', ask: 'Nothing to do.' },
  { kinds: ['source.sound-again', 'coverage.restored'], title: 'Well again', ask: 'Nothing to do.', over: true },
];
