/** Where the audit lies: in the store, it would be as easy to change as what it bears witness to. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Settings } from './read-settings.ts';

/** A problem of the settings, where the audit is the store itself, however it is spelled, or lies below it. */
export async function findAuditProblem(
  { store, audit }: Pick<Settings, 'store' | 'audit'>,
  folder: string,
): Promise<string | undefined> {
  if (audit === undefined) {
    return undefined;
  }
  const place = await toOnePlace(store, folder);
  const isInside = (await toOnePlace(audit, folder)).startsWith(place);
  return isInside
    ? 'audit: is the store itself or lies below it; name another bucket or folder, best one that Muster may not change.'
    : undefined;
}

/** Ends with a slash, so that a place is below another exactly where it begins with it. */
async function toOnePlace(place: string, folder: string): Promise<string> {
  const [, bucket] = /^s3:\/\/(.*)$/.exec(place) ?? [];
  const path = bucket === undefined ? await resolveLinks(resolve(folder, place)) : `s3://${bucket}`;
  return `${path.replace(/\/+$/, '')}/`;
}

/** The path without symbolic links, also where its end is not there yet. */
async function resolveLinks(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(path).catch(async () => (parent === path ? path : join(await resolveLinks(parent), basename(path))));
}
