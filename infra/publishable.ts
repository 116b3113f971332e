/** Checks a package before `npm publish`: it must name its source and the address for reporting defects. */
import { readFile } from 'node:fs/promises';

/** Fields of package.json that a development version may lack while it has no public place. */
const requiredFields = ['repository', 'homepage', 'bugs'] as const;

const path = process.argv[2] ?? 'package.json';
const manifest = JSON.parse(await readFile(path, 'utf8'));
const missing = requiredFields.filter((field) => manifest[field] === undefined);
if (missing.length > 0) {
  process.stderr.write(
    `${path} lacks ${missing.join(', ')}. Fill them in, and make the documents anew that name them (docs/dev/releasing.md).\n`,
  );
  process.exitCode = 1;
}
