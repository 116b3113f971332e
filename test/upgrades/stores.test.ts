/** Stores that earlier versions wrote are read, verified, rebuilt and carried on by this one. */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reports } from '../../src/compose/parts.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { SourceFacts } from '../../src/core/facts.ts';
import { unpack } from '../../src/core/views.ts';
import { MusterError } from '../../src/errors.ts';
import { systemClock } from '../../src/http/clock.ts';
import { type Parts, runNight } from '../../src/night.ts';
import { tables } from '../../src/reports/tables.ts';
import { readRunContext } from '../../src/run/run-context.ts';
import type { Source } from '../../src/sources/source.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { readCurrentRun, readFacts } from '../../src/storage/runs/published-runs.ts';
import { rebuildNight } from '../../src/storage/runs/rebuild.ts';
import { verifyRuns } from '../../src/storage/runs/verify.ts';
import type { Store } from '../../src/storage/store.ts';

const stores = join(import.meta.dirname, 'stores');
const versions = await readdir(stores);
const slots = ['2026-11-01', '2026-11-02', '2026-11-03'] as const;
const nextSlot = '2026-11-04';

let parent = '';
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'muster-upgrade-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

async function copyOf(version: string): Promise<{ folder: string; store: Store }> {
  const folder = join(parent, version);
  await cp(join(stores, version), folder, { recursive: true });
  return { folder, store: createFolderStore(folder) };
}

type Row = Readonly<Record<string, string>>;

function rows(csv: string): Row[] {
  return parse(csv, { columns: true }) as Row[];
}

/** The next night: sources that answer what they answered on the last one, or not at all. */
async function nextNight({ folder, store }: { folder: string; store: Store }, away: readonly string[]) {
  const standing = await readCurrentRun(store);
  if (standing === undefined) {
    throw new Error(`${folder} holds no published night.`);
  }
  const last = await readFacts(store, standing);
  const yaml = await readFile(join(folder, 'muster.yaml'), 'utf8');
  const { settings, problems } = readSettings(yaml);
  if (settings === undefined) {
    throw new Error(problems.join('\n'));
  }
  const parts: Parts = {
    store,
    sources: last.sources.map((facts) => sourceAgain(facts, away)),
    privacy: { users: 'show' },
    clock: systemClock,
    patience: 600_000,
    signal: new AbortController().signal,
    tables,
    reports,
    rules: sourceRules,
  };
  const moment = new Date(`${nextSlot}T05:15:00Z`);
  return runNight({ slot: nextSlot, moment, readRunContext: () => readRunContext(settings, folder) }, parts);
}

function sourceAgain(facts: SourceFacts, away: readonly string[]): Source {
  return {
    name: facts.name,
    kind: facts.kind,
    async read(_ask, sheet) {
      if (away.includes(facts.name)) {
        throw new MusterError('request-failed', `${facts.name} does not answer.`);
      }
      Object.assign(sheet, structuredClone({ ...facts, devices: facts.devices.map(unpack) }));
    },
  };
}

describe.each(versions)('a store written by Muster %s', (version) => {
  it('is verified whole', async () => {
    const { store } = await copyOf(version);
    expect(await verifyRuns(store)).toMatchObject({ nights: 3, damage: [] });
  });

  it.each(slots)('has its night of %s rebuilt with the same rows', async (slot) => {
    const { folder, store } = await copyOf(version);
    const target = createFolderStore(join(parent, 'rebuilt'));
    const { by } = await rebuildNight(store, slot, { target, tables, reports, rules: sourceRules });
    expect(by).toBe(version);
    const kept = tables.filter(({ name }) => existsSync(join(folder, name)));
    // Tables are only ever added.
    expect(kept.length).toBeGreaterThanOrEqual(7);
    for (const { name } of kept) {
      const before = rows(await readFile(join(folder, `${name}/date=${slot}/${name}.csv`), 'utf8'));
      const again = rows(await readFile(join(parent, 'rebuilt', `${name}.csv`), 'utf8'));
      expect(again.length, name).toBe(before.length);
      // Columns are only ever appended, so every column of then is still there.
      for (const [index, row] of again.entries()) {
        expect(row, `${name} row ${index + 1}`).toMatchObject(before[index] ?? {});
      }
    }
  });

  it('is carried on where nothing answers', async () => {
    const place = await copyOf(version);
    const outcome = await nextNight(place, ['macs', 'windows']);
    expect(outcome).toMatchObject({ exit: 3, did: 'published' });
    expect(outcome.night?.sources.map(({ soundness }) => soundness)).toEqual(['carried', 'carried']);
    const devices = async (slot: string) =>
      rows(await readFile(join(place.folder, `devices/date=${slot}/devices.csv`), 'utf8')).map(
        ({ device_id, status, counted, not_installed_since }) => ({ device_id, status, counted, not_installed_since }),
      );
    expect(await devices(nextSlot)).toEqual(await devices('2026-11-03'));
    expect(await verifyRuns(place.store)).toMatchObject({ nights: 4, damage: [] });
  });

  it('is carried on where everything answers as before: nothing changes [S20]', async () => {
    const place = await copyOf(version);
    const outcome = await nextNight(place, []);
    expect(outcome).toMatchObject({ exit: 0, did: 'published' });
    expect(outcome.night?.changes).toEqual([]);
    // What 0.1.0 remembered of the service's downloads is remembered no longer.
    expect(JSON.stringify(outcome.night?.state)).not.toContain('downloads');
    expect(outcome.night?.sources.map(({ first }) => first)).toEqual([false, false]);
  });
});
