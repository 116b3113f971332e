/** The settings of signing as parts: the key that signs, and the keys that are trusted. A run trusts its own no more than others. */
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

/** The number of a commit that is about to be created, and the id of its store. */
type Place = Pick<SignedText, 'number' | 'store'>;

/**
 * The signature of a commit that is about to be created, or of a record about one, checked as every later run checks it:
 * where it would not hold, the error is `signing-failed`, and nothing may be created. Undefined where the settings ask for
 * none.
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
  /** Undefined where the next commit will be signed, or need not be. */
  readonly problem?: string | undefined;
  /** The lines that the file of public keys needs for the key that signs. */
  readonly lines: readonly string[];
}

/** Tries what the next commit will be asked for. Throws `signing-failed` and `public-keys-unreadable`. */
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

/** The reason why a later run would refuse the commit. A signature that nobody would check is refused too. */
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
