/**
 * Signatures, offline, with public keys alone. Runs from before the first signed one carry none and need none: a signed
 * manifest leads to them by their SHA-256.
 */
import type { KeyObject } from 'node:crypto';
import type { Store } from '../../store.ts';
import type { PublishedRun } from '../published-runs.ts';
import { checkManifestSignature, checkRetractionSignature, type SignatureState } from '../signatures.ts';
import type { Damage } from './damage.ts';
import type { FoundRuns } from './find-runs.ts';

export interface Signatures {
  /** Runs whose manifest is signed by one of the keys. */
  readonly signed: number;
  /** Runs from before manifests were signed. */
  readonly earlier: number;
}

export interface CheckedSignatures extends Signatures {
  readonly damage: readonly SlotDamage[];
}

interface SlotDamage extends Damage {
  readonly slot: string;
}

export async function checkSignatures(
  store: Store,
  found: FoundRuns,
  publicKeys: readonly KeyObject[],
): Promise<CheckedSignatures> {
  const runs = [...found.chain, ...found.outside, ...found.retractedRuns];
  const states = new Map<PublishedRun, SignatureState>();
  for (const run of runs) {
    states.set(run, await readSignatureState(store, run, publicKeys));
  }
  const firstSigned = found.chain.findLastIndex((run) => states.get(run) === 'signed');
  const before = firstSigned === -1 ? [] : found.chain.slice(firstSigned + 1);
  const earlier = new Set(before.filter((run) => states.get(run) === 'unsigned'));
  const damage = runs.flatMap((run): SlotDamage[] => {
    const found = earlier.has(run) ? undefined : describeSignature(run.link.manifest, states.get(run));
    return found === undefined ? [] : [{ slot: run.manifest.slot, ...found }];
  });
  return {
    signed: runs.filter((run) => states.get(run) === 'signed').length,
    earlier: earlier.size,
    damage: [...damage, ...checkRetractions(found, publicKeys)],
  };
}

async function readSignatureState(
  store: Store,
  { link }: PublishedRun,
  publicKeys: readonly KeyObject[],
): Promise<SignatureState> {
  const stored = await store.read(link.manifest);
  return stored === undefined ? 'unsigned' : checkManifestSignature(stored.body, link.manifest, publicKeys);
}

/** Those that only the pointer names, which nobody signs; a signed manifest vouches for those that it names. */
function checkRetractions({ current }: FoundRuns, publicKeys: readonly KeyObject[]): SlotDamage[] {
  return (current?.pointer.retracted ?? []).flatMap((retraction): SlotDamage[] => {
    const { slot } = retraction;
    const found = describeSignature(`The retraction of ${slot}`, checkRetractionSignature(retraction, publicKeys));
    return found === undefined ? [] : [{ slot, ...found }];
  });
}

function describeSignature(what: string, state: SignatureState = 'unsigned'): Damage | undefined {
  switch (state) {
    case 'signed':
      return undefined;
    case 'unsigned':
      return { code: 'signature-missing', message: `${what} carries no signature, so nobody vouches for it.` };
    case 'forged':
      return { code: 'signature-invalid', message: `${what} is not what was signed, or not by these keys.` };
  }
}
