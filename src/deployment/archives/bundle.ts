/** The bundle is a gzip tar archive; a device unpacks it as superuser. Listed here, never written anywhere. */
import { createGunzip } from 'node:zlib';
import { Parser } from 'tar';
import type { Inspector } from './inspector.ts';

/** Far above what an agent's resources can be. */
const largestExpanded = 4 * 1024 * 1024 * 1024;
const mostEntries = 200_000;

export function bundleInspector(): Inspector {
  const gunzip = createGunzip();
  let problem: string | undefined;
  let expanded = 0;
  let entries = 0;
  let isDone: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    isDone = resolve;
  });
  const fail = (words: string) => {
    problem ??= words;
    gunzip.destroy();
    isDone();
  };
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      entries += 1;
      if (entries > mostEntries) fail('it holds too many files');
      const link = entry.type === 'Link' ? (entry.linkpath ?? '') : '';
      if (isOutside(entry.path) || isOutside(link)) fail('it would write outside its folder');
      entry.resume();
    },
  });
  parser.on('error', () => fail('it is no tar archive that can be listed'));
  parser.on('end', isDone);
  gunzip.on('error', () => fail('it is no whole gzip file'));
  gunzip.on('data', (piece: Buffer) => {
    expanded += piece.length;
    if (expanded > largestExpanded) fail('it grows beyond all bounds');
    else parser.write(piece);
  });
  gunzip.on('end', () => parser.end());
  return {
    async take(piece) {
      if (problem !== undefined || gunzip.write(piece)) return;
      await new Promise<void>((resolve) => {
        gunzip.once('drain', resolve).once('close', resolve);
      });
    },
    async end() {
      if (problem === undefined) gunzip.end();
      await done;
      return problem ?? (entries === 0 ? 'it holds no file' : undefined);
    },
  };
}

function isOutside(path: string): boolean {
  return path.startsWith('/') || path.split('/').includes('..');
}
