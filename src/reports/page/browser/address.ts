/**
 * Keeps the page's state in its address: filters, search and order of each list, the open card, and the reader's place.
 * `#changes` is a place alone; `#at=needs-action&needs-action.reason=never-reported` is a place and a list's rows.
 */
import type { DeviceReference } from '../../../core/facts/judged.ts';
import { encodeText } from '../shared/list.ts';

type AddressListener = (parameters: URLSearchParams) => void;

/** Listeners by the part of the page whose settings they receive. */
const listeners = new Map<string, AddressListener>();
let parameters = new URLSearchParams();

export function mountAddress(): void {
  parameters = parseHash(location.hash);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-rows]')) {
    link.href = toRowsAddress(link.dataset.rows ?? '');
  }
  addEventListener('hashchange', () => {
    const next = parseHash(location.hash);
    if (location.hash.includes('=')) {
      parameters = next;
      for (const listener of listeners.values()) {
        listener(parameters);
      }
    } else {
      // A place alone leaves the lists as they are.
      parameters.set('at', next.get('at') ?? '');
      writeParameter('device', undefined);
    }
    scrollToPlace();
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#device="]');
    if (link !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      openCard(parseHash(link.hash).get('device') ?? '');
    } else {
      // Needed even where the address is already shown.
      openPlace((event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]')?.hash ?? '');
    }
  });
}

/** A link for others to rows of the page: none where it is a file of this machine, or where its address may hold a signature. */
export function findRowsLink(rows: string): string | undefined {
  const { protocol, origin, pathname, search } = location;
  return protocol.startsWith('http') && search === '' ? `${origin}${pathname}${toRowsAddress(rows)}` : undefined;
}

/** The address of some rows; their list is the place. */
export function toRowsAddress(rows: string): string {
  const list = rows.split(/[.=&]/)[0] ?? '';
  const filters = rows.includes('=') ? `&${rows}` : `&${list}.q=`;
  return `#at=${list === 'members' ? 'groups' : list}${filters}`;
}

/** The address that opens a device's card and leaves the lists as they are. */
export function toCardAddress({ source, id }: DeviceReference): string {
  return `#device=${encode(`${source}/${id}`)}`;
}

/** Whether the browser shows this value now; a change of the address is read a moment later. */
export function isInAddress(key: string, value: string | undefined): boolean {
  return parseHash(location.hash).get(key) === value;
}

/** Parameters of one list in the address, by the keys of its filters. */
export function readParametersOf(list: string): Map<string, string> {
  const start = `${list}.`;
  return new Map(
    [...parameters].flatMap(([key, value]) => (key.startsWith(start) ? [[key.slice(start.length), value]] : [])),
  );
}

/** Replaces all parameters of one list in the address. */
export function writeParametersOf(list: string, values: Iterable<readonly [key: string, value: string]>): void {
  for (const key of readParametersOf(list).keys()) {
    parameters.delete(`${list}.${key}`);
  }
  for (const [key, value] of values) {
    parameters.set(`${list}.${key}`, value);
  }
  write();
}

export function writeParameter(key: string, value: string | undefined): void {
  if (value === undefined) {
    parameters.delete(key);
  } else {
    parameters.set(key, value);
  }
  write();
}

/** Calls the listener when the reader goes to another address, and at first. Each part has one listener, its last. */
export function onAddressChange(part: string, listener: AddressListener): void {
  listeners.set(part, listener);
  listener(parameters);
}

export function scrollToPlace(): void {
  openPlace(location.hash)?.scrollIntoView();
}

/** Opens the elements around a place, and the element there. */
function openPlace(hash: string): HTMLElement | null {
  const place = document.getElementById(parseHash(hash).get('at') ?? '');
  const inner = place?.querySelector(':scope > details:first-child') ?? place;
  for (let part = inner?.closest('details'); part; part = part.parentElement?.closest('details')) {
    part.open = true;
  }
  return place;
}

/** Puts the card first in the address, where people look for what they pass on. */
function openCard(device: string): void {
  parameters.delete('device');
  parameters = new URLSearchParams([['device', device], ...parameters]);
  write();
  listeners.get('device')?.(parameters);
}

function write(): void {
  const said = [...parameters].filter(([key, value]) => key !== 'at' || value !== '');
  const [[key, value] = []] = said;
  const isPlaceAlone = said.length === 1 && key === 'at';
  const text = isPlaceAlone ? value : said.map(([key, value]) => `${key}=${encode(value)}`).join('&');
  history.replaceState(null, '', `#${text}`);
}

function parseHash(hash: string): URLSearchParams {
  const text = hash.slice(1);
  return new URLSearchParams(text === '' || text.includes('=') ? text : `at=${text}`);
}

function encode(text: string): string {
  return encodeText(text).replaceAll('%2F', '/');
}
