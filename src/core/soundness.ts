/** What a source's night was worth, worst first, and why in a sentence. */

import type { BreakerResult } from './breaker.ts';
import type { Finding, Problem, SourceFacts } from './facts.ts';
import { noteInstrument } from './instrument.ts';
import { pluralize } from './pluralize.ts';
import type { SourceInput } from './source-input.ts';
import type { Soundness } from './vocabulary.ts';

/** A source of which no instrument check passed proves nothing: a check that was forgotten must not end in "proven". */
export function isInstrumentSound({ findings }: Pick<SourceFacts, 'findings'>): boolean {
  const isProved = findings.some(({ instrument, result }) => instrument && result === 'pass');
  return isProved && findings.every((finding) => !isBroken(finding));
}

/** What could not be read is not sound either. */
export function isBroken({ instrument, result }: Finding): boolean {
  return instrument && (result === 'fail' || result === 'unknown');
}

const noInstrumentCheck =
  'No check of what produces its values has passed, so none of them is proof. Please report this.';

/** `tripped` is the breaker of a source that has a baseline and answered completely. */
export function judgeSoundness(scene: SourceInput, tripped: BreakerResult | undefined, isAccepted: boolean): Soundness {
  if (scene.reading === 'missing') {
    return 'missing';
  }
  if (scene.reading === 'carried') {
    return 'carried';
  }
  if (!isInstrumentSound(scene.source)) {
    return 'untrusted';
  }
  return tripped?.trips && !isAccepted ? 'suspect' : 'complete';
}

export function explainSoundness(
  scene: SourceInput,
  soundness: Soundness,
  tripped: BreakerResult | undefined,
): Problem | undefined {
  switch (soundness) {
    case 'missing':
    case 'carried':
      return scene.source.problem;
    case 'untrusted': {
      const finding = scene.source.findings.find(isBroken);
      if (finding === undefined) {
        return { code: 'instrument', message: noInstrumentCheck };
      }
      const message = `${finding.check}: expected ${finding.expected}; found ${finding.found}.`;
      const { instrument } = noteInstrument(scene.source, scene.state, scene.answeredOn);
      const since =
        scene.state && instrument ? ` The instrument is as it is since the night of ${instrument.since}.` : '';
      const advice = finding.advice ? ` ${finding.advice}` : '';
      return { code: 'instrument', message: message + since + advice };
    }
    case 'suspect': {
      const { gone = 0, countedBefore = 0 } = tripped ?? {};
      const drop = `${gone} of ${countedBefore} counted ${pluralize(countedBefore, 'device')} ${pluralize(gone, 'is', 'are')} gone`;
      const flip = `${tripped?.flipped} of ${tripped?.inBoth} changed their status`;
      const advice = `If that is what happened, run "muster accept ${scene.answeredOn}"; if not, look at the platform.`;
      return { code: 'breaker', message: `${drop}, ${flip} since ${scene.state?.baseline?.slot}. ${advice}` };
    }
    case 'complete':
      return undefined;
  }
}
