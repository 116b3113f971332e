/** A digest as long as the other side's limits allow: lines are left out, and counted, until it fits. */
import { type Digest, shortenDigest } from './digest.ts';

const maximumLines = 20;

export function fitDigest<Payload>(
  digest: Digest,
  render: (digest: Digest) => Payload,
  fits: (payload: Payload) => boolean,
): Payload {
  for (let lines = maximumLines; lines >= 0; lines -= 1) {
    const payload = render(shortenDigest(digest, lines));
    if (fits(payload)) {
      return payload;
    }
  }
  for (let sections = digest.sections.length - 1; sections > 0; sections -= 1) {
    const payload = render(shortenDigest(digest, 0, sections));
    if (fits(payload)) {
      return payload;
    }
  }
  // The title and the figures alone are bounded by their own words.
  return render(shortenDigest(digest, 0, 0));
}

/** In UTF-8, as it is sent. */
export function countBytes(payload: unknown): number {
  return Buffer.byteLength(typeof payload === 'string' ? payload : JSON.stringify(payload));
}
