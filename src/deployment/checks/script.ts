/** Checks the deployment script: docs/coverage.md, section 1.3. Muster's by its text; the vendor's by the labels of its parameters. */
import type { Finding } from '../../core/facts.ts';
import { scriptParameters } from '../definition.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { fail, judgeOne, type LookupResult, passOrFail, reportNotChecked } from '../finding.ts';
import { directoryTemplates, renderEvery } from '../script-templates.ts';
import type { Acceptances } from './acceptance.ts';
import { checkKnownScript } from './known-script.ts';

export interface ScriptFacts {
  /** The labels of parameters 4 to 11 on the server, by number. */
  readonly labels: ReadonlyMap<number, string>;
  readonly contents: string;
}

const checkId = 'macos.script';
const creationAdvice =
  'Create it as section 1.3 of the deployment interface describes, or put its display name in the settings.';

export function checkScript(
  settings: DeploymentSettings,
  found: LookupResult<ScriptFacts>,
  acceptances: Acceptances,
): Finding {
  if (settings.macos.script === undefined) {
    return reportNotChecked(checkId, 'deployment.macos.script');
  }
  if (settings.identity === undefined) {
    return reportNotChecked(checkId, 'deployment.identity');
  }
  const known = {
    artifact: 'deploy-directory.sh',
    rendered: settings.service === undefined ? undefined : renderEvery(directoryTemplates, settings.service),
    needs: 'deployment.service',
  };
  return judgeOne(checkId, found, 'script', creationAdvice, (script) =>
    settings.identity === 'email'
      ? judgeLabels(script)
      : checkKnownScript({ check: checkId, ...known }, script.contents, acceptances),
  );
}

function judgeLabels({ labels, contents }: ScriptFacts): Finding {
  if (contents.trim() === '') {
    return fail(checkId, 'the script is empty', creationAdvice);
  }
  const wrong = scriptParameters.filter(
    ({ number, name }) => labels.get(number)?.trim().toLowerCase() !== name.toLowerCase(),
  );
  const problems = wrong.map(({ number, name }) => `parameter ${number} is not labelled ${name}`);
  const advice =
    'Label parameters 4 to 9 as section 1.3 of the deployment interface does, so that nobody fills in the wrong one.';
  return passOrFail(checkId, problems, 'parameters 4 to 9 are labelled as documented', advice);
}
