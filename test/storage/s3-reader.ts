/** What somebody sees of a bucket who knows nothing of Muster's code: latest.json → commit → files. */
import { createHash } from 'node:crypto';

export interface Seen {
  readonly slot: string;
  /** Of the last commit. */
  readonly number: number;
  /** Report files by name. */
  readonly reports: Readonly<Record<string, string>>;
}

/** Undefined when there is no latest.json; throws a sentence when what it leads to is not complete and consistent. */
export function look(objects: ReadonlyMap<string, Buffer>, prefix: string): Seen | undefined {
  const at = (key: string) => objects.get(`${prefix}${key}`);
  const latestBody = at('latest.json');
  if (latestBody === undefined) {
    return undefined;
  }
  const latest = JSON.parse(latestBody.toString());
  const body = at(latest.manifest);
  if (body === undefined || hash(body) !== latest.sha256) {
    throw new Error('the manifest is not what latest.json names');
  }
  const manifest = JSON.parse(body.toString());
  if (manifest.slot !== latest.slot || manifest.attempt !== latest.attempt) {
    throw new Error('the manifest is another’s');
  }
  const reports: Record<string, string> = {};
  for (const { key, bytes, sha256, rows } of manifest.files) {
    const file = at(key);
    if (file === undefined || file.length !== bytes || hash(file) !== sha256) {
      throw new Error(`${key} is not as named`);
    }
    const text = file.toString();
    if (rows !== undefined && text.split('\n').length - 2 !== rows) {
      throw new Error(`${key} lacks rows`);
    }
    if (key.includes('/reports/')) {
      reports[key.split('/').at(-1)] = text;
    }
  }
  if (!('devices.csv' in reports)) {
    throw new Error('there is no devices.csv');
  }
  return { slot: manifest.slot, number: latest.number, reports };
}

/** What people and query engines read, with its contents. */
export function copiesIn(objects: ReadonlyMap<string, Buffer>, prefix: string): Record<string, string> {
  const copies = [...objects]
    .map(([key, body]) => [key.slice(prefix.length), body.toString()] as const)
    .filter(([key]) => !/^(runs|commits)\//.test(key) && key !== 'latest.json');
  return Object.fromEntries(copies);
}

function hash(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
