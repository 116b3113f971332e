/** The one way to compute a SHA-256: lower-case hex, of bytes or of a text in UTF-8. */
import { createHash } from 'node:crypto';

export function computeSha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
