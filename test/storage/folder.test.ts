import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStore } from '../../src/storage/folder.ts';
import { storeContract } from '../contracts/store.ts';

storeContract('a folder', {
  async makeStore() {
    const path = await mkdtemp(join(tmpdir(), 'muster-store-'));
    return { store: folderStore(join(path, 'store')), cleanUp: () => rm(path, { recursive: true, force: true }) };
  },
});
