/** A digest as long as the other side's limits allow: lines are left out, and counted, until it fits. */
import { type Digest, shortened } from './digest.ts';

const longest = 20;

export function fitting<Payload>(
  digest: Digest,
  render: (digest: Digest) => Payload,
  fits: (payload: Payload) => boolean,
): Payload {
  for (let lines = longest; lines >= 0; lines -= 1) {
    const payload = render(shortened(digest, lines));
    if (fits(payload)) return payload;
  }
  for (let sections = digest.sections.length - 1; sections > 0; sections -= 1) {
    const payload = render(shortened(digest, 0, sections));
    if (fits(payload)) return payload;
  }
  // The title and the figures alone are bounded by their own words.
  return render(shortened(digest, 0, 0));
}

/** In UTF-8, as it is sent. */
export function bytesOf(payload: unknown): number {
  return Buffer.byteLength(typeof payload === 'string' ? payload : JSON.stringify(payload));
}
