/** The deployment script: docs/coverage.md, section 1.3. Muster's by its text; the vendor's by the labels of its parameters. */
import { scriptParameters } from '../../definition.ts';
import { directoryTemplates, renderEvery } from '../../script-templates.ts';
import type { Check, Verdict } from '../check.ts';
import { judgeKnownScript } from '../known-script.ts';
import { fail, judgeOne, passOrFail, reportNotChecked } from '../verdicts.ts';
import type { JamfReading, ScriptFacts } from './reading.ts';

const creationAdvice =
  'Create it as section 1.3 of the deployment interface describes, or put its display name in the settings.';

export const scriptCheck: Check<JamfReading> = {
  id: 'macos.script',
  expected:
    'the script that Muster renders from the settings or an accepted one; by e-mail, the labels of parameters 4 to 9',
  blindSpot: 'by e-mail, what the vendor’s script does: only its labels are checked',
  settings: ['deployment.macos.script', 'deployment.identity', 'deployment.accepted'],
  judge(reading, context) {
    const { macos, identity, service } = context.settings;
    if (macos.script === undefined) {
      return reportNotChecked('deployment.macos.script');
    }
    if (identity === undefined) {
      return reportNotChecked('deployment.identity');
    }
    const known = {
      artifact: 'deploy-directory.sh',
      rendered: service === undefined ? undefined : renderEvery(directoryTemplates, service),
      needs: 'deployment.service',
    };
    return judgeOne(reading.script, 'script', creationAdvice, (script) =>
      identity === 'email' ? judgeLabels(script) : judgeKnownScript(script.contents, known, context),
    );
  },
};

function judgeLabels({ labels, contents }: ScriptFacts): Verdict {
  if (contents.trim() === '') {
    return fail('the script is empty', creationAdvice);
  }
  const wrong = scriptParameters.filter(
    ({ number, name }) => labels.get(number)?.trim().toLowerCase() !== name.toLowerCase(),
  );
  const problems = wrong.map(({ number, name }) => `parameter ${number} is not labelled ${name}`);
  const advice =
    'Label parameters 4 to 9 as section 1.3 of the deployment interface does, so that nobody fills in the wrong one.';
  return passOrFail(problems, 'parameters 4 to 9 are labelled as documented', advice);
}
