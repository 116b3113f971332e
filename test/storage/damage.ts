/** What verification found, as sentences. */
import { type VerifyOptions, verifyRuns } from '../../src/storage/runs/verify.ts';
import type { Store } from '../../src/storage/store.ts';

export async function damageIn(store: Store, options: VerifyOptions = {}): Promise<string[]> {
  return (await verifyRuns(store, options)).damage.map(({ message }) => message);
}
