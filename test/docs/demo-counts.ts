/** Counts of a run, as each place that a person reads gives them: tables, message, title, and what is open afterwards. */
import { parse } from 'csv-parse/sync';
import type { Channel } from '../../src/alerts/channel.ts';
import { composeMessage } from '../../src/alerts/delivery/compose-message.ts';
import type { AlertMessage } from '../../src/alerts/message/digest.ts';
import { renderPlainText } from '../../src/alerts/message/plain-text.ts';
import { isWhole } from '../../src/core/facts/vocabulary.ts';
import { countDaysBetween } from '../../src/core/time/calendar.ts';
import type { PublishedRun } from '../../src/storage/commits/commit.ts';
import { readRunEvents } from '../../src/storage/runs/events-record.ts';
import { readStateHead } from '../../src/storage/runs/run-state.ts';
import type { Store } from '../../src/storage/store.ts';
import type { Row } from '../reports/csv.ts';

const people: Channel = {
  name: 'people',
  audience: 'people',
  render: (message) => [message],
  send: async () => undefined,
};

/** Each pair must be the same; the name says which places it compares. */
export async function compareCounts(store: Store, run: PublishedRun): Promise<Record<string, [number, number]>> {
  const { slot, attempt, number, sources } = run.commit;
  const table = async (name: string) =>
    parse((await store.read(`runs/${slot}/${attempt}/reports/${name}.csv`)) ?? '', { columns: true }) as Row[];
  const [coverage, changes, missing] = [await table('coverage'), await table('changes'), await table('not-installed')];
  const all = coverage.find(({ source }) => source === 'all') ?? {};
  const events = await readRunEvents(store, run);
  const { openAlerts: open = [] } = await readStateHead(store, run);
  const range = { first: number, runs: [{ run, events }], missed: 0, open };
  const [message] = composeMessage(people, range, { link: () => '' }) as [AlertMessage];
  const { digest } = message;
  const text = renderPlainText(digest);

  const lost = message.events.filter(({ kind, phase }) => kind === 'device.lost' && phase === 'first');
  const fresh = lost.filter(({ device }) => (device?.since ?? slot) === slot);
  const later = events.later.filter(({ kind }) => kind === 'device.lost').reduce((sum, one) => sum + one.devices, 0);
  const inText = Number(/([\d,]+) lost the agent in this run: /.exec(text)?.[1]?.replace(',', '') ?? 0);
  const inTitle = [...digest.title.matchAll(/([\d,]+) (lost the agent|no longer reporting)/g)];
  const inHeadings = digest.sections.filter(({ title }) => /^(Lost|No longer reports) the agent/.test(title));

  const whole = new Set(sources.filter(({ soundness }) => isWhole(soundness)).map(({ name }) => name));
  const overdue = missing.filter(
    ({ source = '', not_installed_since: since = slot }) => whole.has(source) && countDaysBetween(since, slot) >= 14,
  );
  const reminder = message.events.find(({ kind, phase }) => kind === 'device.overdue' && phase !== 'over');
  const { overdue: told = 0, listed = 0, acknowledged = 0, canaries = 0 } = reminder?.figures ?? {};
  return {
    'lost: table and table': [Number(all.lost), changes.filter(({ change }) => change === 'lost').length],
    'lost: table and message': [Number(all.lost), fresh.length + later],
    'lost later: message in figures and words': [later, inText],
    'lost: title and message': [
      inTitle.reduce((sum, [, count = '0']) => sum + Number(count.replace(',', '')), 0),
      // A long title is cut, and says so.
      digest.title.endsWith('and more') && inTitle.length === 0 ? 0 : lost.length,
    ],
    'lost: headings and message': [inHeadings.reduce((sum, { count }) => sum + count, 0), lost.length],
    'needs action: table and message': [Number(all.not_installed), readNeedsAction(text)],
    'needs action: table and table': [Number(all.not_installed), missing.length],
    'not proven: table and message': [
      Number(all.counted) - Number(all.proven_installed) - Number(all.proven_not_installed),
      Number(/([\d,]+) of [\d,]+ counted devices /.exec(digest.figures ?? '')?.[1]?.replace(',', '') ?? 0),
    ],
    'overdue: table and message': [reminder === undefined ? told : overdue.length, told],
    'overdue: figures and their sum': [told, listed + acknowledged + canaries],
  };
}

function readNeedsAction(text: string): number {
  return Number(/; ([\d,]+) needs? action/.exec(text)?.[1]?.replace(',', '') ?? Number.NaN);
}
