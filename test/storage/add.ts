/** A process of its own that adds to a counter by creating the next: `node add.ts FOLDER NAME TIMES`. */
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { addOne } from '../contracts/counter.ts';

const [folder = '', name = '', times = '0'] = process.argv.slice(2);
const store = createFolderStore(folder);
for (let added = 0, tries = 0; added < Number(times); tries += 1) {
  if (await addOne(store, `${name} ${tries}`)) {
    added += 1;
  }
}
