/** Checks the signature of a stored commit with public keys alone. */
import type { Damage } from '../damage.ts';
import { judgeSignature, type SignatureVerdict, type SignedText, type TrustedKeys } from './trusted-keys.ts';

/** Undefined where the signature allows building on the commit at `key`. */
export function checkSignature(trusted: TrustedKeys, key: string, commit: SignedText): Damage | undefined {
  return describe[judgeSignature(trusted, commit)](key, trusted);
}

type Describe = (key: string, trusted: TrustedKeys) => Damage | undefined;

const describe: Readonly<Record<SignatureVerdict, Describe>> = {
  'not-required': () => undefined,
  valid: () => undefined,
  missing: (key, { name }) => ({
    code: 'signature-missing',
    message: `${key} carries no signature, which ${name} asks for.`,
  }),
  invalid: (key, { name }) => ({
    code: 'signature-invalid',
    message: `${key} is not what was signed, or was not signed by a key that ${name} lists for that number.`,
  }),
  'other-store': (key, { name, store }) => ({
    code: 'log-damaged',
    message: `${key} is not of the store ${store}, which ${name} is for.`,
  }),
};
