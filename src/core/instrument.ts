/** Since which night an instrument is as it is, whatever the nights were worth. */
import type { SourceFacts } from './facts.ts';
import type { SourceState } from './state.ts';

type InstrumentState = Pick<SourceState, 'instrument'>;

/** Read tonight, it is as it was or new tonight; not read, it is as it was. */
export function noteInstrument(
  { instrument }: Pick<SourceFacts, 'instrument'>,
  before: InstrumentState | undefined,
  slot: string,
): InstrumentState {
  const { fingerprint } = instrument;
  const known = before?.instrument;
  const noted = fingerprint === undefined || fingerprint === known?.fingerprint ? known : { fingerprint, since: slot };
  return noted === undefined ? {} : { instrument: noted };
}
