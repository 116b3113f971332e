/** What verification found, as sentences. */

import type { Store } from '../../src/storage/store.ts';
import { type VerifyOptions, verifyRuns } from '../../src/storage/verify/verify.ts';

export async function damageIn(store: Store, options: VerifyOptions = {}): Promise<string[]> {
  return (await verifyRuns(store, options)).damage.map(({ message }) => message);
}
