/**
 * Pages of a device list. Microsoft's are by key, as recorded links show: a link contains the last row of its page, by
 * name and id, so that arrivals and departures move no other row. In pages by position, everything behind them moves.
 */

export interface DevicePage<Row> {
  readonly rows: readonly Row[];
  /** The `$skiptoken` of the next page's link; undefined on the last. */
  readonly next: string | undefined;
}

export interface DeviceKey {
  readonly name: string;
  readonly id: string;
}

export function cutByKey<Row>(
  rows: readonly Row[],
  readKey: (row: Row) => DeviceKey,
  token: string | null,
  size: number,
): DevicePage<Row> {
  const last = token === null ? undefined : parseKey(token);
  const keyed = rows.map((row) => ({ row, key: readKey(row) }));
  const rest = keyed
    .filter(({ key }) => last === undefined || compareKeys(key, last) > 0)
    .sort((one, other) => compareKeys(one.key, other.key));
  const page = rest.slice(0, size);
  const end = page.at(-1);
  return {
    rows: page.map(({ row }) => row),
    next: end !== undefined && rest.length > size ? formatKey(end.key) : undefined,
  };
}

export function cutByPosition<Row>(rows: readonly Row[], token: string | null, size: number): DevicePage<Row> {
  const offset = Number(/^offset-(\d+)$/.exec(token ?? '')?.[1] ?? 0);
  const next = offset + size < rows.length ? `offset-${offset + size}` : undefined;
  return { rows: rows.slice(offset, offset + size), next };
}

export function compareKeys(one: DeviceKey, other: DeviceKey): number {
  return compareTexts(one.name, other.name) || compareTexts(one.id, other.id);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Encodes a key as in recorded links: quotation marks and signs too, in small letters. */
function formatKey({ name, id }: DeviceKey): string {
  const quote = (text: string) =>
    `%27${encodeURIComponent(text.toWellFormed().replaceAll("'", "''")).replaceAll("'", '%27')}%27`;
  return `LastDeviceName%3d${quote(name)}%2cLastDeviceId%3d${quote(id)}`;
}

export function parseKey(token: string): DeviceKey | undefined {
  const [, name, id] = /^LastDeviceName='((?:[^']|'')*)',LastDeviceId='((?:[^']|'')*)'$/.exec(token) ?? [];
  return name === undefined || id === undefined
    ? undefined
    : { name: name.replaceAll("''", "'"), id: id.replaceAll("''", "'") };
}
