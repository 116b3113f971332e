/** Reads the page's data. Devices stay in columns: making 100,000 objects would take longer than all lists. */
import { deviceFields } from '../../fields.ts';
import { createColumnReader, decodeAge, decodeId, type ListedDevice, type PageData } from '../shared/page-data.ts';
import { requireElement } from './dom.ts';

export interface Page extends Pick<PageData, 'document' | 'gone' | 'comparedFrom' | 'consoles' | 'nextSteps'> {
  /** All devices; those of report.json come first. */
  readonly devices: readonly ListedDevice[];
  readonly reportedDevices: readonly ListedDevice[];
}

export async function loadPage(): Promise<Page> {
  const packed = requireElement('#data').textContent ?? '';
  const stream = new Blob([decodeBase64(packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const data: PageData = JSON.parse(await new Response(stream).text());
  const devices = createListedDevices(data);
  return { ...data, devices, reportedDevices: devices.slice(0, data.reported) };
}

/** A row of the columns, whose fields are read on access, so that it cannot be spread or cloned. */
class DeviceRow {
  readonly row: number;

  constructor(row: number) {
    this.row = row;
  }
}

const decoders: Readonly<Record<string, (value: unknown, moment: string) => unknown>> = {
  ...Object.fromEntries(deviceFields.filter(({ type }) => type === 'time').map(({ key }) => [key, decodeAge])),
  id: (id) => decodeId(String(id)),
};

function createListedDevices({ count, devices: columns, document }: PageData): ListedDevice[] {
  for (const [key, column] of Object.entries(columns)) {
    const read = createColumnReader(column);
    const decode = decoders[key];
    Object.defineProperty(DeviceRow.prototype, key, {
      get(this: DeviceRow) {
        const value = read(this.row);
        return value === undefined || decode === undefined ? value : decode(value, document.moment);
      },
    });
  }
  return Array.from({ length: count }, (_, row) => new DeviceRow(row) as ListedDevice);
}

function decodeBase64(packed: string): Uint8Array<ArrayBuffer> {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    bytes[index] = text.charCodeAt(index);
  }
  return bytes;
}
