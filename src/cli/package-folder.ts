/** Lists the folder that will be packaged for Windows, for its check; opens no file in it. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '../core/facts.ts';
import { checkPackage, type FolderEntry } from '../deployment/checks/package.ts';

export async function checkPackageFolder(folder: string): Promise<Finding> {
  return checkPackage(await readFolderEntries(folder).catch(() => undefined));
}

async function readFolderEntries(folder: string): Promise<FolderEntry[]> {
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name));
      return { name, isFile: found.isFile(), bytes: found.size };
    }),
  );
}
