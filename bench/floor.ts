/**
 * The least that anybody needs: `node bench/floor.ts FILE` fetches the pages that a run has asked for, with the same
 * number of requests at once, and only parses them.
 */
import { readFileSync } from 'node:fs';
import type { Page } from './platforms.ts';

/** What Jamf advises, and what Muster keeps to. */
const jamfAtOnce = 5;
/** Each list names its next page in the last one; Muster makes two walks side by side. */
const graphAtOnce = 2;

const pages = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Page[];
const from = (origin: Page['origin']) => pages.filter((page) => page.origin === origin).map(({ url }) => url);

async function fetchAll(urls: readonly string[], atOnce: number): Promise<number> {
  const waiting = [...urls];
  let rows = 0;
  const work = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const response = await fetch(url);
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      const body = (isJson ? await response.json() : { download: await response.arrayBuffer() }) as PageBody;
      rows += (body.results ?? body.value ?? []).length;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return rows;
}

interface PageBody {
  readonly results?: readonly unknown[];
  readonly value?: readonly unknown[];
}

const rows = await Promise.all([
  fetchAll(from('jamf'), jamfAtOnce),
  fetchAll(from('graph'), graphAtOnce),
  fetchAll(from('downloads'), 1),
]);
process.stdout.write(`${rows.reduce((sum, count) => sum + count, 0)}\n`);
