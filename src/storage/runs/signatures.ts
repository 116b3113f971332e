/**
 * What is signed: of a manifest and of a retraction a statement of three lines, which are what it is, its key in the
 * store, and the SHA-256 of what it says without its signature. Anybody can make that line again with `jq` and `openssl`
 * (docs/keeping.md). The key is part of it, so that a manifest holds nowhere else.
 */
import type { KeyObject } from 'node:crypto';
import { isRecord } from '../../is-record.ts';
import { computeSha256 } from '../../sha256.ts';
import { isSignedBy } from '../signing/public-keys.ts';
import type { Signer } from '../signing/signer.ts';
import { type Manifest, parseStoredJson, type Retraction, readManifest, serializeRecord } from './records.ts';

export async function signManifest(manifest: Manifest, key: string, signer: Signer): Promise<Manifest> {
  return { ...manifest, signature: await signer.sign(formatManifestStatement(key, manifest)) };
}

export async function signRetraction(retraction: Retraction, signer: Signer): Promise<Retraction> {
  return { ...retraction, signature: await signer.sign(formatRetractionStatement(retraction)) };
}

/** Something to sign that says nothing: for trying a key. */
export const trialStatement = Buffer.from('muster trial 1\n');

export type SignatureState = 'signed' | 'unsigned' | 'forged';

/** `body` is the manifest as it is stored. */
export function checkManifestSignature(body: Buffer, key: string, publicKeys: readonly KeyObject[]): SignatureState {
  const { signature } = readManifest(body, key);
  if (signature === undefined) {
    return 'unsigned';
  }
  const stored = parseStoredJson(body, key);
  const { signature: _, ...manifest } = isRecord(stored) ? stored : {};
  return isSignedBy(publicKeys, formatManifestStatement(key, manifest), signature) ? 'signed' : 'forged';
}

export function checkRetractionSignature(retraction: Retraction, publicKeys: readonly KeyObject[]): SignatureState {
  if (retraction.signature === undefined) {
    return 'unsigned';
  }
  return isSignedBy(publicKeys, formatRetractionStatement(retraction), retraction.signature) ? 'signed' : 'forged';
}

function formatManifestStatement(key: string, manifest: object): Buffer {
  return formatStatement('manifest', key, serializeRecord(manifest));
}

/** In an order of its own: a retraction stands in pointers and manifests, and both are read field by field. */
function formatRetractionStatement({ slot, attempt, manifest, sha256, by, at, why, record }: Retraction): Buffer {
  const said = [slot, attempt, manifest, sha256, by, at, why, record.key, record.sha256];
  return formatStatement('retraction', record.key, JSON.stringify(said));
}

function formatStatement(kind: string, key: string, contents: string | Buffer): Buffer {
  return Buffer.from(`muster ${kind} 1\n${key}\n${computeSha256(contents)}\n`);
}
