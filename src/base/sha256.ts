/** Computes a SHA-256 as lower-case hex, over bytes or a text in UTF-8; the only code that does. */
import { createHash } from 'node:crypto';

export function computeSha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

export async function computeSha256OfPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
  }
  return hash.digest('hex');
}
