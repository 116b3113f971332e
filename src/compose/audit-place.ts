/** Checks the audit's place: inside the store, it would be as easy to change as the commits that it proves. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Settings } from './read-settings.ts';

/** The problem of an audit that is the store itself, in any spelling, or lies below it; otherwise undefined. */
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

/** A comparable form of a place: it ends with a slash, so that a place below another begins with it. */
async function toOnePlace(place: string, folder: string): Promise<string> {
  const [, bucket] = /^s3:\/\/(.*)$/.exec(place) ?? [];
  const path = bucket === undefined ? await resolveLinks(resolve(folder, place)) : `s3://${bucket}`;
  return `${path.replace(/\/+$/, '')}/`;
}

/** The path without symbolic links, even where its end does not exist yet. */
async function resolveLinks(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(path).catch(async () => (parent === path ? path : join(await resolveLinks(parent), basename(path))));
}
