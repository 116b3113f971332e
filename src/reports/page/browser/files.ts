/** Links to the files beside the page, and to pages of other runs; their places depend on the copy of the page. */
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

/** The kind of copy: `latest/index.html` and `report/date=2026-11-20/index.html` have neighbours, any other has none. */
function findCopy(): 'dated' | 'latest' | 'alone' {
  const path = decodeURIComponent(location.pathname);
  const isDated = /\/report\/date=[\d-]+\/[^/]*$/.test(path);
  return isDated ? 'dated' : /\/latest\/[^/]*$/.test(path) ? 'latest' : 'alone';
}

/** The address of another run's page; undefined where this copy cannot know it. */
export function findRunAddress(slot: string): string | undefined {
  const folder = { dated: '..', latest: '../report', alone: undefined }[findCopy()];
  return folder && `${folder}/date=${slot}/index.html`;
}

/** The place of a file by date: tables and findings have folders of their own, other files are beside the page. */
function toDatedFile(file: string, slot: string): string {
  const folder = /^([a-z-]+)\.(csv|ndjson)$/.exec(file)?.[1];
  return folder === undefined ? file : `../../${folder}/date=${slot}/${file}`;
}

/** Shows links to neighbouring runs. The run before is known; the next is later than this page, and assumed on the next day. */
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
