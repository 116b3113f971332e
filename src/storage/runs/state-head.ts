/**
 * The schema of a state's head, wherever it has a value: a wrong type would be judged by, or fail a run without a named
 * error. Read once in each run. Other fields are ignored.
 */
import * as v from 'valibot';
import { devicePlaces } from '../../core/facts/device-places.ts';
import { coverageFigures, listFigures } from '../../core/facts/state.ts';
import { soundnesses } from '../../core/facts/vocabulary.ts';
import type { StateHead } from './state-files.ts';

/** An object schema that rejects lists, which would otherwise pass where every field is optional. */
function defineFields<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(
    v.unknown(),
    v.check((value) => !Array.isArray(value)),
    v.looseObject(entries),
  );
}

const text = v.string();
const perhaps = v.optional(text);
const amount = v.optional(v.pipe(v.number(), v.finite()));

const instrument = defineFields({ id: perhaps, fingerprint: perhaps });

const memory = defineFields({
  last: v.optional(defineFields({ fingerprint: text, since: text, readAt: text })),
  soundFingerprint: perhaps,
  broken: v.optional(defineFields({ since: text, fingerprint: perhaps })),
  repairedAt: perhaps,
});

const baseline = defineFields({
  slot: text,
  instrument,
  answers: amount,
  listing: v.optional(defineFields({ received: amount, unlisted: amount, overview: amount, overviewOf: amount })),
  enrolment: v.optional(defineFields({ bounds: v.array(text), unknown: v.number() })),
});

const source = defineFields({
  name: text,
  kind: text,
  baseline: v.optional(baseline),
  instrumentMemory: memory,
});

const alertScope = defineFields({ kind: text, ...v.entriesFromList(['source', ...devicePlaces], perhaps) });

const eventDevice = defineFields({
  id: text,
  status: text,
  reason: text,
  since: perhaps,
  ...v.entriesFromList(['name', 'serialNumber', 'user', ...devicePlaces], perhaps),
});

const alertDetails = defineFields({
  ...v.entriesFromList(['source', 'platform', 'site', 'text', 'subject'], perhaps),
  device: v.optional(eventDevice),
  figures: v.optional(v.record(text, v.number())),
  first: v.optional(v.array(eventDevice)),
});

const alert = defineFields({
  key: text,
  kind: text,
  since: text,
  last: text,
  opened: v.number(),
  changed: amount,
  details: alertDetails,
  about: perhaps,
  sentAs: v.optional(v.array(alertScope)),
});

const coverage = defineFields({
  source: text,
  operatingSystem: text,
  soundness: v.picklist(soundnesses),
  ...v.entriesFromList([...coverageFigures, ...listFigures], amount),
});

const historyEntry = defineFields({
  slot: text,
  coverage: v.array(coverage),
  moment: text,
  instruments: v.optional(v.array(defineFields({ source: text, id: perhaps, fingerprint: perhaps }))),
});

const list = v.optional(defineFields({ slot: text, machines: v.number() }));

const keptRun = defineFields({ slot: text, number: v.pipe(v.number(), v.integer(), v.minValue(1)), sha256: text });

const runsLeft = defineFields({
  kept: v.array(keptRun),
  retracted: v.optional(v.array(text)),
  owed: v.optional(v.array(defineFields({ work: v.picklist(['copy', 'retract', 'remove']), run: keptRun }))),
  heldBack: v.optional(defineFields({ since: text, nights: v.number(), limit: v.number() })),
});

const head = defineFields({
  schema: v.literal(7),
  slot: text,
  sources: v.array(source),
  sharedNumbers: v.array(defineFields({ number: text, lastOn: text })),
  runs: runsLeft,
  openAlerts: v.optional(v.array(alert)),
  noticed: v.optional(v.array(text)),
  reminded: perhaps,
  lists: v.optional(defineFields({ expected: list, reporting: list })),
  history: v.array(historyEntry),
});

export function isStateHead(value: unknown): value is StateHead {
  return v.is(head, value);
}
