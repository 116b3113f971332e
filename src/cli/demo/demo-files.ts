/** The files beside the settings of the demo: exemptions, and the lists of machines. */
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays, millisecondsPerDay } from '../../core/time/calendar.ts';

export const [staleListNight, cutOffListNight] = [7, 11];

export const fileSettings = `exemptions: exemptions.csv
lists:
  expected: [{ file: machines.csv }]
  reporting: [{ file: console.csv, columns: { serial: Serial Number, name: Host, seen_at: Last Seen } }]
`;

/** The simulated platforms, as far as these files depend on them. */
interface Platforms {
  settings(): string;
  listRecords(): readonly {
    readonly source: string;
    readonly hasAgent: boolean;
    readonly serialNumber?: string | undefined;
  }[];
  machineLists(): Readonly<Record<'expected' | 'reporting', string>>;
}

/** The Mac that is kept without the agent on purpose, and two loans, of which one ends soon after the last run. */
export async function writeExemptions(folder: string, platforms: Platforms, lastSlot: string): Promise<void> {
  const canary = /(?<=serial: )\S+(?=, expect: Not Installed)/.exec(platforms.settings())?.[0];
  const [soon, later] = platforms.listRecords().flatMap(({ source, hasAgent, serialNumber = '' }) => {
    const isShort = /^\w{6,12}$/.test(serialNumber);
    return source === 'windows' && !hasAgent && isShort ? [serialNumber] : [];
  });
  const rows = [
    [canary, 'Canary: kept without the agent on purpose', 'Gesa Holt', 300],
    [soon, 'Loan, goes back to its owner', 'Falk Ibsen', 9],
    [later, 'Loan', 'Ilka Kern', 120],
  ] as const;
  const lines = rows.flatMap(([serialNumber, reason, owner, days]) =>
    serialNumber === undefined ? [] : [`serial,${serialNumber},,"${reason}",${owner},${addDays(lastSlot, days)}`],
  );
  const text = ['match,value,source,reason,owner,expires', ...lines].join('\n');
  await writeFile(join(folder, 'exemptions.csv'), `${text}\n`);
}

/** With the dates that they have on a real machine: some hours before the run. */
export async function writeLists(folder: string, platforms: Platforms, moment: Date, night: number): Promise<void> {
  const { expected, reporting } = platforms.machineLists();
  const lines = expected.split('\n').slice(0, night === cutOffListNight ? 40 : undefined);
  const write = async (name: string, text: string, days: number) => {
    const date = new Date(moment.getTime() - days * millisecondsPerDay);
    await writeFile(join(folder, name), text);
    await utimes(join(folder, name), date, date);
  };
  await write('machines.csv', lines.join('\n'), 0.1);
  await write('console.csv', reporting, night === staleListNight ? 3 : 0.1);
}
