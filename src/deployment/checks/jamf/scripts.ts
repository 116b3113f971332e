/**
 * Checks the scripts of the extension attribute and of the deployment: docs/coverage.md, section 1.3. It knows Muster's
 * own by their text, as a version of Muster renders it from these settings; accepted ones by their hash; and the
 * vendor's by the labels of its parameters. A program cannot judge any other script, and findings quote nothing of it.
 */
import { attribute, scriptParameters } from '../../definition.ts';
import {
  attributeTemplates,
  directoryTemplates,
  findAgentFile,
  type RenderedScript,
  renderEvery,
  toUnixText,
} from '../../script-templates.ts';
import type { Check, CheckContext } from '../check.ts';
import { reviewText } from '../statements.ts';
import {
  describeOtherPlace,
  fail,
  judgeOne,
  pass,
  passOrFail,
  quoteText,
  reportUnknown,
  type Verdict,
} from '../verdicts.ts';
import { creationAdvice } from './policy.ts';
import type { JamfReading, ScriptFacts } from './reading.ts';

/** The instrument on macOS. */
export const extensionAttribute: Check<JamfReading> = {
  id: 'macos.extension-attribute',
  expected:
    'one attribute of that name, enabled, data type STRING, input type SCRIPT, with the script that Muster renders or an accepted one',
  blindSpot: 'which version of the script a Mac ran last: canaries show that the chain works',
  settings: ['deployment.macos.agentFile', 'deployment.accepted'],
  instrument: true,
  judge: (reading, context) =>
    judgeOne(reading.attribute, 'extension attribute', 'Put its display name in the settings.', (found) => {
      const { enabled, dataType, inputType, script } = found;
      const shape = `${enabled ? 'enabled' : 'disabled'}, data type ${formatWord(dataType)}, input type ${formatWord(inputType)}`;
      if (!enabled) {
        // Jamf Pro can keep the values of a disabled attribute (manageExistingData RETAIN) and returns them indefinitely.
        return fail(shape, 'Enable the extension attribute; while it is disabled, its values are outdated.');
      }
      if (dataType !== attribute.dataType || inputType !== attribute.inputType) {
        const { dataType: type, inputType: input } = attribute;
        const advice = `Create it with the data type ${type}, the input type ${input} and ${describeArtifact('extension-attribute.sh')}.`;
        return fail(shape, advice);
      }
      const verdict = judgeAttributeScript(script, context);
      return { ...verdict, found: `${shape}; ${verdict.found}` };
    }),
};

/** Judges a script; one of Muster's for another file than the settings' fails, unless a person has accepted it. */
function judgeAttributeScript(script: string, context: CheckContext): Verdict {
  const artifact = 'extension-attribute.sh';
  const { agentFile } = context.settings.macos;
  const file = findAgentFile(script);
  if (file === undefined || file === agentFile) {
    return judgeScript(script, artifact, renderEvery(attributeTemplates, agentFile), context);
  }
  const { accepted, words, line } = reviewText(toUnixText(script), context);
  const found = `${describeOtherPlace(file, agentFile)} ${words}`;
  const advice = `If the settings are right, use ${describeArtifact(artifact)}; if the server is, correct deployment.macos.agentFile. If both are meant to be so, add to deployment.accepted: ${line}`;
  return accepted ? pass(found) : fail(found, advice);
}

function formatWord(text: string): string {
  return /^[A-Z_]{1,40}$/.test(text) ? text : quoteText(text);
}

export const scriptCheck: Check<JamfReading> = {
  id: 'macos.script',
  expected:
    'the script that Muster renders from the settings or an accepted one; by e-mail, the labels of parameters 4 to 9',
  blindSpot: 'by e-mail, what the vendor’s script does: only its labels are checked',
  needs: ['deployment.macos.script', 'deployment.identity'],
  settings: ['deployment.accepted'],
  judge: (reading, context) =>
    judgeOne(reading.script, 'script', creationAdvice, (script) => {
      const { identity, service } = context.settings;
      if (identity === 'email') {
        return judgeLabels(script);
      }
      const rendered = service === undefined ? [] : renderEvery(directoryTemplates, service);
      return judgeScript(script.contents, 'deploy-directory.sh', rendered, context);
    }),
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

function describeArtifact(name: string): string {
  return `the script that \`muster artifacts ${name}\` renders`;
}

/** Judges a script; `rendered` has the texts of all versions, newest first, and is empty where the service is not set. */
function judgeScript(
  script: string,
  artifact: string,
  rendered: readonly RenderedScript[],
  context: CheckContext,
): Verdict {
  const render = describeArtifact(artifact);
  const text = toUnixText(script);
  if (text.trim() === '') {
    return fail('it has no script', `Use ${render}.`);
  }
  const [newest] = rendered;
  // Several versions can render the same text; the earliest of them is named.
  const first = rendered.findLast((one) => one.text === text);
  if (first !== undefined) {
    const weakness = first.weakness === undefined ? '' : `: ${first.weakness}`;
    const older = `the script that Muster ${first.version} rendered; render it again, since ${newest?.version} has a better one${weakness}`;
    return pass(newest?.text === text ? `${render}, since version ${first.version}` : older);
  }
  const { accepted, words, line } = reviewText(text, context);
  const found = `a different script from the one that Muster renders ${words}`;
  const set = newest === undefined ? 'Set deployment.service. ' : '';
  return accepted
    ? pass(found)
    : reportUnknown(found, `${set}Use ${render}, or read this one and add to deployment.accepted: ${line}`);
}
