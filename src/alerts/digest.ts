/**
 * One digest a night: what changed first, whom to chase, counts for the rest. Pure; every channel shows the same one.
 * Nothing to say is no digest.
 */
import { intervalOf } from '../core/coverage.ts';
import type { Event } from '../core/events/event.ts';
import type { Night } from '../core/judged.ts';
import type { EventKind } from '../core/told.ts';

export interface Digest {
  readonly agent: string;
  readonly slot: string;
  /** One sentence a person can stop reading after. */
  readonly title: string;
  /** The coverage with its interval, and how many to chase. */
  readonly figures: string;
  readonly sections: readonly Section[];
  /** Where the whole report is; never a pre-signed address. */
  readonly link?: string;
}

export interface Section {
  readonly title: string;
  /** What the section asks of a person. */
  readonly ask: string;
  /** Plain text, one entry a line; the first ones only. */
  readonly lines: readonly string[];
  /** How many more there are, told in the report. */
  readonly more: number;
  readonly count: number;
}

/** No list longer than a person reads. */
const namedLines = 10;

interface Heading {
  readonly kinds: readonly EventKind[];
  readonly title: string;
  readonly ask: string;
}

/** In the order in which a person should read them. */
const headings: readonly Heading[] = [
  {
    kinds: ['source.missing', 'source.carried', 'source.untrusted', 'source.suspect', 'source.left'],
    title: 'The number is not the whole truth',
    ask: 'Find out why before you rely on the figures.',
  },
  {
    kinds: ['measurement.changed', 'deployment.drift'],
    title: 'The measurement or the deployment changed',
    ask: 'Check whether somebody meant this.',
  },
  { kinds: ['coverage.below'], title: 'Coverage is below the minimum', ask: 'Chase the devices below.' },
  { kinds: ['device.lost'], title: 'Lost the agent', ask: 'Ask why it went, and put it back.' },
  { kinds: ['device.new-not-installed'], title: 'New without the agent', ask: 'Install it.' },
  { kinds: ['device.overdue'], title: 'Still without the agent', ask: 'Chase these, or exempt them with a reason.' },
  {
    kinds: ['count.left'],
    title: 'Left the count without getting the agent',
    ask: 'Nobody installed anything: check that these devices are really gone.',
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
  { kinds: ['channel.undelivered'], title: 'A channel is silent', ask: 'Repair it: nobody hears what it should say.' },
  { kinds: ['baseline'], title: 'First night', ask: 'From now on, changes are told.' },
  { kinds: ['device.recovered'], title: 'Got the agent', ask: 'Nothing to do.' },
  { kinds: ['source.sound-again', 'coverage.restored'], title: 'Well again', ask: 'Nothing to do.' },
];

export function digestOf(night: Night, link: string | undefined): Digest | undefined {
  if (night.events.length === 0) return undefined;
  const sections = headings.flatMap((heading) => sectionOf(heading, night.events));
  return {
    agent: night.agent,
    slot: night.slot,
    title: titleOf(sections),
    figures: figuresOf(night),
    sections,
    ...(link === undefined ? {} : { link }),
  };
}

function sectionOf({ kinds, title, ask }: Heading, events: readonly Event[]): Section[] {
  const mine = events.filter((event) => kinds.includes(event.kind));
  if (mine.length === 0) return [];
  const lines = mine.flatMap(linesOf);
  const shown = lines.slice(0, namedLines);
  return [{ title, ask, lines: shown, more: lines.length - shown.length, count: mine.length }];
}

function titleOf(sections: readonly Section[]): string {
  const told = sections.slice(0, 3).map(({ title, count }) => (count === 1 ? title : `${title} (${count})`));
  return told.join(' · ');
}

function figuresOf({ coverage }: Night): string {
  const all = coverage.at(-1);
  if (all === undefined || all.counted === 0) return 'No device is counted.';
  const { coverage: headline, low, high } = intervalOf(all);
  return `${headline} % of ${all.counted} devices have it (certainly ${low} %, at most ${high} %); ${all.notInstalled} to chase.`;
}

function linesOf(event: Event): string[] {
  const own = event.device ? deviceLine(event) : matterLine(event);
  const named = (event.first ?? []).map((device) => `   ${nameOf(device)}, since ${device.since ?? event.slot}`);
  return [own, ...named];
}

function deviceLine({ device, source, slot }: Event): string {
  if (device === undefined) return '';
  const parts = [nameOf(device), device.user, source, device.reason, `since ${device.since ?? slot}`];
  return parts.filter((part) => part !== undefined).join(', ');
}

function nameOf(device: NonNullable<Event['device']>): string {
  const name = device.name ?? `device ${device.id}`;
  return device.serialNumber === undefined ? name : `${name} (${device.serialNumber})`;
}

function matterLine({ kind, source, text, figures, phase, since }: Event): string {
  const where = source === undefined ? '' : `${source}: `;
  const figured = Object.entries(figures ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  const said = text ?? (kind === 'source.sound-again' ? 'complete and sound again' : figured);
  const again = phase === 'again' ? ` (since ${since})` : '';
  const behind = text !== undefined && figured !== '' ? ` (${figured})` : '';
  return `${where}${said}${behind}${again}`;
}
