/** Checks the instrument on macOS, the extension attribute: docs/coverage.md, section 1.3. */
import type { Finding } from '../../core/facts.ts';
import { attribute } from '../definition.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { fail, judgeOne, type LookupResult, quoteText } from '../finding.ts';
import { attributeTemplates, renderEvery } from '../script-templates.ts';
import type { Acceptances } from './acceptance.ts';
import { checkKnownScript } from './known-script.ts';

export interface AttributeFacts {
  readonly enabled: boolean;
  readonly dataType: string;
  readonly inputType: string;
  readonly script: string;
}

const checkId = 'macos.extension-attribute';
const attributeAdvice =
  'Create the extension attribute as section 1.3 of the deployment interface describes; `muster artifacts` renders its script.';

export function checkAttribute(
  found: LookupResult<AttributeFacts>,
  { macos }: DeploymentSettings,
  acceptances: Acceptances,
): Finding {
  return judgeOne(checkId, found, 'extension attribute', 'Put its display name in the settings.', (definition) =>
    judgeAttribute(definition, macos.agentFile, acceptances),
  );
}

function judgeAttribute(
  { enabled, dataType, inputType, script }: AttributeFacts,
  agentFile: string,
  acceptances: Acceptances,
): Finding {
  const shape = `${enabled ? 'enabled' : 'disabled'}, data type ${formatWord(dataType)}, input type ${formatWord(inputType)}`;
  if (!enabled) {
    // Jamf Pro can keep the values of a disabled attribute (manageExistingData RETAIN) and returns them indefinitely.
    return fail(checkId, shape, 'Enable the extension attribute; while it is disabled, its values are outdated.');
  }
  if (dataType !== attribute.dataType || inputType !== attribute.inputType) {
    return fail(checkId, shape, attributeAdvice);
  }
  const known = { artifact: 'extension-attribute.sh', rendered: renderEvery(attributeTemplates, agentFile) };
  return checkKnownScript({ check: checkId, ...known, beside: `${shape}; ` }, script, acceptances);
}

function formatWord(text: string): string {
  return /^[A-Z_]{1,40}$/.test(text) ? text : quoteText(text);
}
