/**
 * Whether a script is known: by its text, as one that a version of Muster renders from these settings, or by its hash,
 * as one that a person has read. What another script does is not for a program to say. No word of it is shown.
 */
import type { Finding } from '../../core/facts.ts';
import type { CheckId } from '../catalogue.ts';
import { fail, pass, reportUnknown } from '../finding.ts';
import type { ScriptTemplates } from '../script-templates.ts';
import { unixText } from '../script-text.ts';
import { type Acceptances, reviewText } from './acceptance.ts';

interface ScriptQuestion {
  readonly check: CheckId;
  /** The artifact that renders it. */
  readonly artifact: string;
  readonly templates: ScriptTemplates;
  /** `deployment.service`; without it, nothing can be rendered that needs it. */
  readonly service: string | undefined;
  /** What was found besides the script. */
  readonly beside?: string;
}

export function checkKnownScript(question: ScriptQuestion, script: string, acceptances: Acceptances): Finding {
  const { check, artifact, templates, service, beside = '' } = question;
  const render = `the script that \`muster artifacts ${artifact}\` renders`;
  const text = unixText(script);
  if (text.trim() === '') {
    return fail(check, `${beside}it has no script`, `Use ${render}.`);
  }
  const [newest] = templates;
  const template = service === undefined ? undefined : templates.find((one) => one.render(service) === text);
  if (template === newest) {
    return pass(check, `${beside}${render}, since version ${newest.version}`);
  }
  if (template !== undefined) {
    const weakness = template.weakness === undefined ? '' : `: ${template.weakness}`;
    const older = `the script that Muster ${template.version} rendered`;
    return pass(check, `${beside}${older}; render it anew, since ${newest.version} has a better one${weakness}`);
  }
  const review = reviewText(text, acceptances);
  const found = `${beside}another script than Muster renders ${review.words}`;
  if (review.accepted) {
    return pass(check, found);
  }
  const advice = `${service === undefined ? 'Set deployment.service. ' : ''}Use ${render}, or read this one and add to deployment.accepted: ${review.line}`;
  return reportUnknown(check, { why: found, advice });
}
