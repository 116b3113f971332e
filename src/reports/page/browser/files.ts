/** The files beside the page, and the pages of other runs: where they are depends on which copy of the page this is. */
import { addDays } from '../../../core/time/calendar.ts';
import { runTexts as texts } from '../shared/list-texts.ts';
import type { PageData } from '../shared/page-data.ts';
import { createElement, requireElement } from './dom.ts';

type Report = PageData['document'];

export function mountFileLinks(report: Report): void {
  const copy = findCopy();
  if (copy === 'dated') {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-file]')) {
      link.href = toDatedFile(link.dataset.file ?? '', report.slot);
    }
  }
  mountRunLinks(report, copy);
}

/** `latest/index.html` and `report/date=2026-11-20/index.html` have neighbours; any other copy has none. */
function findCopy(): 'dated' | 'latest' | 'alone' {
  const path = decodeURIComponent(location.pathname);
  const isDated = /\/report\/date=[\d-]+\/[^/]*$/.test(path);
  return isDated ? 'dated' : /\/latest\/[^/]*$/.test(path) ? 'latest' : 'alone';
}

/** The address of the page of another run; undefined where this copy does not know it. */
export function findRunAddress(slot: string): string | undefined {
  const folder = { dated: '..', latest: '../report', alone: undefined }[findCopy()];
  return folder && `${folder}/date=${slot}/index.html`;
}

/** Tables and findings have folders of their own by date; the rest is beside the page. */
function toDatedFile(file: string, slot: string): string {
  const folder = /^([a-z-]+)\.(csv|ndjson)$/.exec(file)?.[1];
  return folder === undefined ? file : `../../${folder}/date=${slot}/${file}`;
}

/** The run before is known; one after this page was made is only where the schedule lets it be. */
function mountRunLinks({ trend, slot }: Report, copy: string): void {
  const slots = trend[0]?.nights.map((night) => night.slot) ?? [];
  const before = slots.at(slots.indexOf(slot) - 1);
  if (copy === 'alone') {
    return;
  }
  const link = (name: string, href: string, title = '') => [createElement('a', { href, title }, name), ' '];
  const linkRun = (text: string, night: string) => link(text, findRunAddress(night) ?? '', night);
  const previous = before === undefined || before >= slot ? [] : linkRun(texts.previous, before);
  const following =
    copy === 'dated'
      ? [...linkRun(texts.next, addDays(slot, 1)), ...link(texts.latest, '../../latest/index.html')]
      : [];
  requireElement('#nights').replaceChildren(...previous, ...following);
}
