/** The settings of signing as parts: the signing key, and the trusted keys, which a run's own signatures must match too. */
import type { KeyObject } from 'node:crypto';
import { MusterError } from '../../base/errors.ts';
import { type Signature, type Signer, trialText } from './signer.ts';
import { findFirstSigned, judgeSignature, type SignedText, type TrustedKeys } from './trusted-keys.ts';

export interface Signing {
  /** Undefined where the settings name public keys alone. */
  readonly signer?: Signer | undefined;
  /** The keys that the settings name. Throws `public-keys-missing` or `public-keys-unreadable`. */
  readKeys(): Promise<TrustedKeys>;
}

/** The number of the commit to create, and the id of its store. */
type Place = Pick<SignedText, 'number' | 'store'>;

/**
 * Signs a commit to create, or a record about one, and checks the signature as every later run does. Throws
 * `signing-failed` where it would be invalid, and nothing may be created then. Undefined where the settings ask for no
 * signature.
 */
export async function signCommit(
  signing: Signing | undefined,
  place: Place,
  text: Buffer,
  consequence = 'Nothing was published',
): Promise<Signature | undefined> {
  if (signing === undefined) {
    return undefined;
  }
  const signature = await signing.signer?.sign(text);
  const problem = findProblem(signing, await signing.readKeys(), { ...place, text, signature });
  if (problem !== undefined) {
    const advice = `${consequence}; muster check prints the lines that the file needs.`;
    throw new MusterError('signing-failed', `${problem} ${advice}`);
  }
  return signature;
}

export interface SigningTrial {
  /** Undefined where the next commit will be signed correctly, or needs no signature. */
  readonly problem?: string | undefined;
  /** Lines that the file of public keys needs for the signing key. */
  readonly lines: readonly string[];
}

/** Tries the signature that the next commit needs. Throws `signing-failed` and `public-keys-unreadable`. */
export async function trySigning(signing: Signing, place: Place): Promise<SigningTrial> {
  const { signer } = signing;
  const signature = await signer?.sign(trialText);
  const problem = await signing.readKeys().then(
    (keys) => findProblem(signing, keys, { ...place, text: trialText, signature }),
    (error: unknown) => {
      if (error instanceof MusterError && error.code === 'public-keys-missing') {
        return error.message;
      }
      throw error;
    },
  );
  const lines = problem === undefined || !signer ? [] : formatKeyLines(place.number, await signer.readPublicKey());
  return { problem, lines };
}

function formatKeyLines(from: number, key: KeyObject): string[] {
  const pem = key.export({ type: 'spki', format: 'pem' }).toString();
  return [`from ${from}`, ...pem.trimEnd().split('\n')];
}

/** The reason why a later run would refuse the commit. A signature that no key would check is refused too. */
function findProblem({ signer }: Signing, keys: TrustedKeys, signed: SignedText): string | undefined {
  const verdict = judgeSignature(keys, signed);
  const commit = `commit ${signed.number}`;
  if (verdict === 'other-store') {
    return `The public keys in ${keys.name} are for the store ${keys.store}, and ${commit} is of another one.`;
  }
  if (signer === undefined) {
    return verdict === 'missing'
      ? `By ${keys.name}, ${commit} must be signed, and the settings name no key that signs (signing).`
      : undefined;
  }
  if (verdict === 'not-required') {
    return `By ${keys.name}, ${commit} need not be signed yet: its first key counts from ${findFirstSigned(keys)} on, and ${signer.name} signs now.`;
  }
  return verdict === 'valid'
    ? undefined
    : `${signer.name} signed ${commit}, and no public key that ${keys.name} lists for that number made the signature.`;
}
