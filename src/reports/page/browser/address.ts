/**
 * What the page shows, in its address: filters, search and order of each list, the open card, and where the reader is.
 * `#changes` is a place alone; `#at=needs-action&needs-action.reason=never-reported` is a place and a list's rows.
 */
type AddressListener = (parameters: ReadonlyMap<string, string>) => void;

/** Settings are named by the part of the page that each is for. */
const listeners = new Map<string, AddressListener>();
let parameters = new Map<string, string>();

export function mountAddress(): void {
  parameters = parseHash(location.hash);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-rows]')) {
    link.href = toRowsAddress(link.dataset.rows ?? '');
  }
  addEventListener('hashchange', () => {
    const next = parseHash(location.hash);
    if (location.hash.includes('=')) {
      parameters = next;
      announce();
      scrollToPlace();
    } else {
      // A place alone leaves the lists as they are.
      parameters.set('at', next.get('at') ?? '');
      parameters.delete('device');
      write();
    }
  });
}

/** The list that rows belong to is the place to go to. */
export function toRowsAddress(rows: string): string {
  const list = rows.split(/[.=&]/)[0] ?? '';
  const filters = rows.includes('=') ? `&${rows}` : `&${list}.q=`;
  return `#at=${list === 'members' ? 'groups' : list}${filters}`;
}

/** What the browser shows now; a change of the address is read a moment later. */
export function isInAddress(key: string, value: string | undefined): boolean {
  return parseHash(location.hash).get(key) === value;
}

export function readAddressParameter(key: string): string | undefined {
  return parameters.get(key);
}

/** What the address says of one list, by the keys of its filters. */
export function readParametersOf(list: string): Map<string, string> {
  const start = `${list}.`;
  return new Map(
    [...parameters].flatMap(([key, value]) => (key.startsWith(start) ? [[key.slice(start.length), value]] : [])),
  );
}

/** Replaces everything that the address says of one list. */
export function writeParametersOf(list: string, values: Iterable<readonly [key: string, value: string]>): void {
  for (const key of [...parameters.keys()]) {
    if (key.startsWith(`${list}.`)) {
      parameters.delete(key);
    }
  }
  for (const [key, value] of values) {
    parameters.set(`${list}.${key}`, value);
  }
  write();
}

/** Shows a device's card. */
export function openDevice(source: string, id: string): void {
  parameters.set('device', toDeviceAddress(source, id));
  write();
  listeners.get('device')?.(parameters);
}

/** An id can hold half a character, which no address can. */
export function toDeviceAddress(source: string, id: string): string {
  return [source, id].map((part) => encodeURIComponent(part.toWellFormed())).join('/');
}

export function writeParameter(key: string, value: string | undefined): void {
  if (value === undefined) {
    parameters.delete(key);
  } else {
    parameters.set(key, value);
  }
  write();
}

/** Called when the reader goes to another address; at first as well. A part has one listener: its last one. */
export function onAddressChange(part: string, listener: AddressListener): void {
  listeners.set(part, listener);
  listener(parameters);
}

export function scrollToPlace(): void {
  const place = parameters.get('at') ?? '';
  if (place !== '') {
    document.getElementById(place)?.scrollIntoView();
  }
}

function announce(): void {
  for (const listener of listeners.values()) {
    listener(parameters);
  }
}

function write(): void {
  const rest = [...parameters].filter(([key]) => key !== 'device' && key !== 'at');
  const device = parameters.get('device');
  const at = parameters.get('at') ?? '';
  const isPlaceAlone = rest.length === 0 && device === undefined;
  const parts = [
    ...(device === undefined ? [] : [`device=${device}`]),
    ...(at === '' ? [] : [isPlaceAlone ? at : `at=${at}`]),
    ...rest.map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`),
  ];
  history.replaceState(null, '', `#${parts.join('&')}`);
}

function parseHash(hash: string): Map<string, string> {
  const text = hash.slice(1);
  if (!text.includes('=')) {
    return new Map(text === '' ? [] : [['at', decode(text)]]);
  }
  return new Map(
    text.split('&').flatMap((part) => {
      const place = part.indexOf('=');
      const [key, value] = [part.slice(0, place), part.slice(place + 1)];
      // The card's two parts are told apart by a slash, so they stay as they are written.
      return place === -1 ? [] : [[key, key === 'device' ? value : decode(value)] as const];
    }),
  );
}

/** An address can be cut off anywhere. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
