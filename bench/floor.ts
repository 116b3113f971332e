/**
 * The least that anybody needs: `node bench/floor.ts FILE` fetches the pages of a run's first reading, Intune's list
 * serially as its links lead, and only parses them. It proves nothing.
 */
import { readFileSync } from 'node:fs';
import type { Page } from './platforms.ts';

/** What Jamf advises, and what Muster keeps to. */
const jamfAtOnce = 5;
/** Each page names the next one. */
const graphAtOnce = 1;

const pages = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Page[];
/** The second reading asks for ids alone. */
const isSecondReading = ({ url }: Page) => new URL(url).searchParams.get('$select') === 'id';
const listUrls = (origin: Page['origin']) =>
  pages.filter((page) => page.origin === origin && !isSecondReading(page)).map(({ url }) => url);

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
  fetchAll(listUrls('jamf'), jamfAtOnce),
  fetchAll(listUrls('graph'), graphAtOnce),
  fetchAll(listUrls('downloads'), 1),
]);
process.stdout.write(`${rows.reduce((sum, count) => sum + count, 0)}\n`);
