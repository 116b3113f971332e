/** The lines of a section, longest missing first, each with the address that opens its device where one works. Pure. */
import type { EventDevice } from '../../core/facts/alert-event.ts';
import { compareCodePoints } from '../../core/text/order.ts';
import { formatDeviceName } from './event-lines.ts';

export interface DigestLine {
  readonly text: string;
  /** The device's name, with which the text begins: the words of the link. */
  readonly name?: string;
  readonly link?: string | undefined;
}

/** The lines of a section, as columns. */
export interface SectionLines {
  /** One line for each device or alert; the first ones only. */
  readonly lines: readonly string[];
  /** The name with which each line begins, or nothing; only where there are links. */
  readonly names?: readonly string[];
  /** The address that opens the device of each line on the page, or nothing. */
  readonly links?: readonly string[];
}

export function toSectionLines(lines: readonly DigestLine[]): SectionLines {
  const texts = lines.map(({ text }) => text);
  return lines.every(({ link }) => link === undefined)
    ? { lines: texts }
    : {
        lines: texts,
        names: lines.map(({ name = '', link }) => (link === undefined ? '' : name)),
        links: lines.map(({ link = '' }) => link),
      };
}

export function toDeviceLine(
  text: string,
  device: EventDevice,
  source: string | undefined,
  page: string | undefined,
): DigestLine {
  return { text, name: formatDeviceName(device), link: formatDeviceLink(page, source, device.id) };
}

/** Mail programs and chats refuse longer addresses. */
const longestLink = 1_000;

/** Opens the device's card on the page: not where the link is a folder's path, or the bucket's console. */
function formatDeviceLink(page: string | undefined, source: string | undefined, id: string): string | undefined {
  if (page === undefined || source === undefined || !isWebAddress(page) || page.includes('?')) {
    return undefined;
  }
  const link = `${page}#device=${encodeForLink(source)}/${encodeForLink(id)}`;
  return link.length > longestLink ? undefined : link;
}

/** A reader that makes links of plain text would end one before such a sign. */
function encodeForLink(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A path of a folder is no address that opens elsewhere. */
export function isWebAddress(link: string | undefined): link is string {
  return link !== undefined && /^https?:\/\//.test(link);
}

/** Longest missing first, then by name; what is about no device comes before, in its order. */
export function sortLongestMissingFirst<Item>(
  items: readonly Item[],
  read: (item: Item) => { readonly device: EventDevice | undefined; readonly slot: string },
): Item[] {
  return items
    .map((item) => ({ item, ...read(item) }))
    .toSorted(
      (left, right) =>
        compareCodePoints(toOrder(left), toOrder(right)) ||
        compareCodePoints(toShownName(left.device), toShownName(right.device)) ||
        compareCodePoints(left.device?.id ?? '', right.device?.id ?? ''),
    )
    .map(({ item }) => item);
}

function toShownName(device: EventDevice | undefined): string {
  return device === undefined ? '' : (device.name ?? `device ${device.id}`);
}

function toOrder({ device, slot }: { readonly device: EventDevice | undefined; readonly slot: string }): string {
  return device === undefined ? '' : (device.since ?? slot);
}

export interface LinkedText {
  /** The words of the link; empty where there is none. */
  readonly name: string;
  readonly rest: string;
  readonly link: string;
}

/** The lines of a section, each divided into the words of its link and the text behind them. */
export function toLinkedTexts({ lines, names = [], links = [] }: SectionLines): LinkedText[] {
  return lines.map((line, index) => {
    const name = names[index] ?? '';
    return { name, rest: line.slice(name.length), link: links[index] ?? '' };
  });
}

/** A sentence that points at the report: a link as a whole, where the report has an address. */
export function toReportText(text: string, report: string | undefined): LinkedText {
  return isWebAddress(report) ? { name: text, rest: '', link: report } : { name: '', rest: text, link: '' };
}
