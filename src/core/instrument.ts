/** When an instrument changed, and what else is remembered of a source whatever its night was worth. */
import type { SourceFacts } from './facts.ts';
import type { SourceState } from './state.ts';

type Noted = Pick<SourceState, 'instrument' | 'downloads'>;

/** Read tonight, it is as it was or new tonight; not read, it is as it was. */
export function noteInstrument(
  facts: Pick<SourceFacts, 'instrument' | 'downloads'>,
  before: Noted | undefined,
  slot: string,
): Noted {
  const { fingerprint } = facts.instrument;
  const known = before?.instrument;
  const instrument =
    fingerprint === undefined || fingerprint === known?.fingerprint ? known : { fingerprint, since: slot };
  const downloads = facts.downloads ?? before?.downloads;
  return { ...(instrument && { instrument }), ...(downloads && { downloads }) };
}
