/**
 * Checks whether a script is known: by its text, as one that a version of Muster renders from these settings, or by its
 * hash, as one that a person has accepted. A program cannot judge any other script. Findings quote nothing of it.
 */

import { type RenderedScript, toUnixText } from '../script-templates.ts';
import type { CheckContext, Verdict } from './check.ts';
import { reviewText } from './statements.ts';
import { fail, pass, reportUnknown } from './verdicts.ts';

interface KnownScript {
  /** The artifact that renders it. */
  readonly artifact: string;
  /** What every version renders, newest first; undefined where a setting is missing without which none can be rendered. */
  readonly rendered: readonly RenderedScript[] | undefined;
  /** That setting. */
  readonly needs?: string;
  /** What was found besides the script. */
  readonly beside?: string;
}

export function judgeKnownScript(script: string, known: KnownScript, context: CheckContext): Verdict {
  const { artifact, rendered = [], needs, beside = '' } = known;
  const render = `the script that \`muster artifacts ${artifact}\` renders`;
  const text = toUnixText(script);
  if (text.trim() === '') {
    return fail(`${beside}it has no script`, `Use ${render}.`);
  }
  const [newest] = rendered;
  // Several versions can render the same text; the first of them is since when it is so.
  const first = rendered.findLast((one) => one.text === text);
  if (first !== undefined && newest?.text === text) {
    return pass(`${beside}${render}, since version ${first.version}`);
  }
  if (first !== undefined) {
    const weakness = first.weakness === undefined ? '' : `: ${first.weakness}`;
    const older = `the script that Muster ${first.version} rendered`;
    return pass(`${beside}${older}; render it again, since ${newest?.version} has a better one${weakness}`);
  }
  const review = reviewText(text, context);
  const found = `${beside}a different script from the one that Muster renders ${review.words}`;
  if (review.accepted) {
    return pass(found);
  }
  const advice = `${known.rendered === undefined ? `Set ${needs}. ` : ''}Use ${render}, or read this one and add to deployment.accepted: ${review.line}`;
  return reportUnknown(found, advice);
}
