/** The instrument on macOS: section 1.3, "Smart groups for installed and missing agent", step 1 and 2. */
import type { Finding } from '../../core/facts.ts';
import { attribute } from '../definition.ts';
import type { Vouched } from '../deployment-settings.ts';
import { type Found, fail, judgeOne, pass, quoted, unknown } from '../finding.ts';
import { judgeScript } from './attribute-script.ts';

export interface AttributeFacts {
  readonly enabled: boolean;
  readonly dataType: string;
  readonly inputType: string;
  readonly script: string;
}

const check = 'macos.extension-attribute';
const asDocumented = 'Create the extension attribute as section 1.3 says; `muster artifacts` renders its script.';

export function checkAttribute(found: Found<AttributeFacts>, accepted: readonly Vouched[]): Finding {
  return judgeOne(check, found, 'extension attribute', 'Put its display name in the settings.', (definition) =>
    judge(definition, accepted),
  );
}

function judge({ enabled, dataType, inputType, script }: AttributeFacts, accepted: readonly Vouched[]): Finding {
  const shape = `${enabled ? 'enabled' : 'disabled'}, data type ${word(dataType)}, input type ${word(inputType)}`;
  if (!enabled) {
    // Jamf Pro can keep the values of a disabled attribute (manageExistingData RETAIN) and serves them for ever.
    return fail(check, shape, 'Enable the extension attribute; while it is disabled, its values are old ones.');
  }
  if (dataType !== attribute.dataType || inputType !== attribute.inputType) return fail(check, shape, asDocumented);
  const verdict = judgeScript(script, accepted);
  const said = `${shape}; ${verdict.words}`;
  switch (verdict.is) {
    case 'sound':
    case 'vouched':
      return pass(check, said);
    case 'wrong':
      return fail(check, said, asDocumented);
    case 'not understood': {
      const advice =
        'Use the script that `muster artifacts` renders, or read this one and vouch for its SHA-256 in deployment.accepted.';
      return unknown(check, { why: said, advice });
    }
  }
}

function word(text: string): string {
  return /^[A-Z_]{1,40}$/.test(text) ? text : quoted(text);
}
