/** What `muster check` says of alerts that nobody would get. */
import { expect, it } from 'vitest';
import { listAlertHints } from '../../src/cli/check/check-channels.ts';
import { judgeOnce, makeMac, makeSource } from '../core/make-facts.ts';
import { least, parseSettings } from '../settings/least.ts';

const night = judgeOnce({ sources: [makeSource('macs', [makeMac('1', 'Installed', { site: 'Berlin' })])] });

const read = (alerts: string) => parseSettings(`${least}alerts: ${alerts}\n`);

it('names a heartbeat and channels that are not set', () => {
  expect(listAlertHints(read('{ channels: [] }'), night)).toEqual([
    'No channel is set: nothing will be reported.',
    'alerts.heartbeat is not set: nobody notices a run that never starts, hangs or is killed. See docs/alerts.md.',
  ]);
});

it('names each word of `only` that matches nothing', () => {
  const channel = '{ type: slack, name: soc, url: env:S, only: { source: [macs, pcs], site: [Berlin, Berln] } }';
  expect(listAlertHints(read(`{ channels: [${channel}], heartbeat: env:BEAT }`), night)).toEqual([
    'The channel soc asks for the source "pcs", which is not in the settings.',
    'The channel soc asks for the site "Berln", which no device has.',
  ]);
  expect(listAlertHints(read('{ channels: [{ type: slack, url: env:S }], heartbeat: env:BEAT }'), night)).toEqual([]);
});
