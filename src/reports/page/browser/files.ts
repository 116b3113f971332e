/** The files beside the page, and the pages of other runs: where they are depends on which copy of the page this is. */
import { addDays } from '../../../core/facts/calendar.ts';
import { fillText } from '../shared/format.ts';
import { nightTexts as texts } from '../shared/list-texts.ts';
import type { PageData } from '../shared/page-data.ts';
import { createElement, requireElement } from './dom.ts';

type Report = PageData['document'];

type Copy = 'dated' | 'latest' | 'alone';

export function mountFileLinks(report: Report): void {
  const copy = findCopy();
  if (copy === 'dated') {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-file]')) {
      link.href = toDatedFile(link.dataset.file ?? '', report.slot);
    }
  }
  mountNightLinks(report, copy);
}

/** `latest/index.html` and `report/date=2026-11-20/index.html` have neighbours; any other copy has none. */
function findCopy(): Copy {
  if (/\/report\/date=[\d-]+\/[^/]*$/.test(decodeURIComponent(location.pathname))) {
    return 'dated';
  }
  return /\/latest\/[^/]*$/.test(location.pathname) ? 'latest' : 'alone';
}

/** The address of the page of another run; undefined where this copy does not know it. */
export function findNightAddress(slot: string): string | undefined {
  const folders: Readonly<Record<Copy, string | undefined>> = { dated: '..', latest: '../report', alone: undefined };
  const folder = folders[findCopy()];
  return folder && `${folder}/date=${slot}/index.html`;
}

/** Tables and findings have folders of their own by date; the rest is beside the page. */
function toDatedFile(file: string, slot: string): string {
  const folder = /^([a-z-]+)\.(csv|ndjson)$/.exec(file)?.[1];
  return folder === undefined ? file : `../../${folder}/date=${slot}/${file}`;
}

/** The run before is known; one after this page was made is only where the schedule lets it be. */
function mountNightLinks({ trend, slot }: Report, copy: Copy): void {
  const slots = trend[0]?.nights.map((night) => night.slot) ?? [];
  const before = slots.at(slots.indexOf(slot) - 1);
  const host = requireElement('#nights');
  if (copy === 'alone') {
    return;
  }
  const link = (name: string, address = '') => ['\u00a0 ', createElement('a', { href: address }, name)];
  const previous =
    before === undefined || before >= slot
      ? []
      : link(fillText(texts.previous, { slot: before }), findNightAddress(before));
  const next = addDays(slot, 1);
  const following =
    copy === 'dated'
      ? [
          ...link(fillText(texts.next, { slot: next }), findNightAddress(next)),
          ...link(texts.latest, '../../latest/index.html'),
        ]
      : [];
  host.replaceChildren(...previous, ...following);
}
