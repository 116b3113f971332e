/** Judges the attribute's definition against the deployment interface, section 1.3: String, Script (Shell), enabled. */
import type { Finding } from '../../core/facts.ts';
import { type AttributeDefinition, attributePermission } from './attribute.ts';

/** `undefined` stands for a definition that may not be read. */
export function judgeAttribute(definition: AttributeDefinition | undefined): Finding {
  const base = {
    check: 'macos.extension-attribute',
    expected: 'enabled, data type STRING, input type SCRIPT',
    instrument: true,
  };
  if (definition === undefined) {
    const advice = `Grant "${attributePermission}" to the account or API client.`;
    return { ...base, result: 'unknown', found: 'the definition may not be read', advice };
  }
  const { enabled, dataType, inputType } = definition;
  const found = `${enabled ? 'enabled' : 'disabled'}, data type ${dataType}, input type ${inputType}`;
  if (!enabled) {
    // Jamf Pro can keep the values of a disabled attribute (manageExistingData RETAIN) and serves them for ever.
    const advice = 'Enable the extension attribute; while it is disabled, its values are old ones.';
    return { ...base, result: 'fail', found, advice };
  }
  if (dataType !== 'STRING' || inputType !== 'SCRIPT') {
    const advice = 'Create the extension attribute as the deployment interface describes it, section 1.3.';
    return { ...base, result: 'fail', found, advice };
  }
  return { ...base, result: 'pass', found, advice: '' };
}
