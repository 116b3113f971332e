/** The events that a channel asks for. What it was sent as open, it is sent as resolved, whatever the event is now. */
import type { AlertScope } from '../../core/facts/alert-state.ts';
import type { EventKind, Phase, Severity } from '../../core/facts/event-kinds.ts';
import { type DigestEvent, type DigestEventKind, determineSeverity } from './severity.ts';

/** The lists of `only`: an event must have one of the words of each. */
export interface EventSelection {
  readonly severity?: readonly Severity[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly source?: readonly string[] | undefined;
  readonly site?: readonly string[] | undefined;
  readonly department?: readonly string[] | undefined;
  readonly building?: readonly string[] | undefined;
  readonly category?: readonly string[] | undefined;
}

const selectableFields = [
  'source',
  'site',
  'department',
  'building',
  'category',
] as const satisfies (keyof AlertScope)[];

type SelectableEvent = { readonly kind: DigestEventKind; readonly phase: Phase } & {
  readonly [Field in (typeof selectableFields)[number]]?: string | undefined;
};

export function selectEvents<Event extends DigestEvent>(
  events: readonly Event[],
  only: EventSelection | undefined,
): readonly Event[] {
  return only === undefined ? events : events.filter((event) => isSelected(event, only));
}

function isSelected({ kind, phase, source, device, sentAs = [] }: DigestEvent, only: EventSelection): boolean {
  const { site, department, building, category } = device ?? {};
  return (
    hasScope({ kind, phase, source, site, department, building, category }, only) ||
    (phase === 'over' && sentAs.some((scope) => hasScope({ ...scope, phase: 'first' }, only)))
  );
}

function hasScope(event: SelectableEvent, { severity, kinds, ...lists }: EventSelection): boolean {
  const { kind, phase } = event;
  const hasWord = (words: readonly string[] | undefined, word: string | undefined) =>
    words === undefined || (word !== undefined && words.includes(word));
  return (
    hasWord(severity, determineSeverity(kind, phase)) &&
    hasWord(kinds, kind) &&
    selectableFields.every((field) => hasWord(lists[field], event[field]))
  );
}

/** An error, or the end of what was sent as one. */
export function isUrgent({ kind, phase, sentAs = [] }: DigestEvent): boolean {
  const isError = (one: EventKind) => determineSeverity(one, 'first') === 'error';
  return (
    determineSeverity(kind, phase) === 'error' || (phase === 'over' && sentAs.some((scope) => isError(scope.kind)))
  );
}
