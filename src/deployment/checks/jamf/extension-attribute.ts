/** The instrument on macOS, the extension attribute: docs/coverage.md, section 1.3. */
import { attribute } from '../../definition.ts';
import { attributeTemplates, renderEvery } from '../../script-templates.ts';
import type { Check } from '../check.ts';
import { judgeKnownScript } from '../known-script.ts';
import { fail, judgeOne, quoteText } from '../verdicts.ts';
import type { JamfReading } from './reading.ts';

const advice =
  'Create the extension attribute as section 1.3 of the deployment interface describes; `muster artifacts` renders its script.';

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
        return fail(shape, advice);
      }
      const rendered = renderEvery(attributeTemplates, context.settings.macos.agentFile);
      return judgeKnownScript(script, { artifact: 'extension-attribute.sh', rendered, beside: `${shape}; ` }, context);
    }),
};

function formatWord(text: string): string {
  return /^[A-Z_]{1,40}$/.test(text) ? text : quoteText(text);
}
