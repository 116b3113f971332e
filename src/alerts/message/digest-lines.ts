/** The lines of a section, longest missing first, with addresses that open the devices where possible. Pure. */
import type { EventDevice } from '../../core/facts/alert-event.ts';
import { compareCodePoints } from '../../core/text/order.ts';
import { formatDeviceName } from './event-lines.ts';

export interface DigestLine {
  readonly text: string;
  /** The device's name, with which the text begins, and which becomes the link. */
  readonly name?: string;
  readonly link?: string | undefined;
}

/** The lines of a section, as columns. */
export interface SectionLines {
  /** One line for each device or alert, up to the section's limit. */
  readonly lines: readonly string[];
  /** The name with which each line begins, or an empty text; missing without links. */
  readonly names?: readonly string[];
  /** The address that opens each line's device on the page, or an empty text. */
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

/** Characters of an address; mail programs and chats refuse longer ones. */
const longestLink = 1_000;

/** Address of the device's card on the page; undefined for a folder's path, or the bucket's console. */
function formatDeviceLink(page: string | undefined, source: string | undefined, id: string): string | undefined {
  if (page === undefined || source === undefined || !isWebAddress(page) || page.includes('?')) {
    return undefined;
  }
  const link = `${page}#device=${encodeForLink(source)}/${encodeForLink(id)}`;
  return link.length > longestLink ? undefined : link;
}

/** Encodes also signs at which readers end a link in plain text. */
function encodeForLink(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Whether a link is an http address rather than a folder's path. */
export function isWebAddress(link: string | undefined): link is string {
  return link !== undefined && /^https?:\/\//.test(link);
}

/** Sorts the longest missing first, then by name; items without a device come before, in their order. */
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
  /** The words of the link; empty where there is no link. */
  readonly name: string;
  readonly rest: string;
  readonly link: string;
}

/** Divides the lines of a section into the words of a link and the text after them. */
export function toLinkedTexts({ lines, names = [], links = [] }: SectionLines): LinkedText[] {
  return lines.map((line, index) => {
    const name = names[index] ?? '';
    return { name, rest: line.slice(name.length), link: links[index] ?? '' };
  });
}

/** A sentence about the report, which becomes a link where the report has a web address. */
export function toReportText(text: string, report: string | undefined): LinkedText {
  return isWebAddress(report) ? { name: text, rest: '', link: report } : { name: '', rest: text, link: '' };
}
