/** Every document of the repository that people read. */
import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export const documents = globSync(['*.md', 'docs/**/*.md', 'test/README.md'], { cwd: root }).sort();
