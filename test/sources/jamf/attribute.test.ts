import { describe, expect, it } from 'vitest';
import type { JamfReading } from '../../../src/deployment/checks/jamf/reading.ts';
import { parseRoot } from '../../../src/sources/jamf/classic.ts';
import {
  type AttributeDefinition,
  computeFingerprint,
  parseClassicAttribute,
  readAttribute,
} from '../../../src/sources/jamf/instrument.ts';
import type { Recorder } from '../../../src/sources/reading/progress.ts';
import { who } from './builders.ts';
import { forbidden, jamfWith, paged, type Routes } from './server.ts';

const script = '#!/bin/sh\r\necho "<result>Installed</result>"\r\n';

function definition(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: '6',
    name: 'Agent Status',
    description: '',
    dataType: 'STRING',
    enabled: true,
    inventoryDisplayType: 'GENERAL',
    inputType: 'SCRIPT',
    scriptContents: script,
    ...changes,
  };
}

const others = Array.from({ length: 450 }, (_, index) =>
  definition({ id: String(100 + index), name: `Other ${index}` }),
);
const list = 'GET /api/v1/computer-extension-attributes';
const classicList = 'GET /JSSResource/computerextensionattributes';
const api = (...entries: unknown[]): Routes => ({ [list]: paged([...others, ...entries]) });
const classicEntry = (id: number, name: string) =>
  `<computer_extension_attribute><id>${id}</id><name>${name}</name></computer_extension_attribute>`;
const classic = (...entries: string[]): Routes => ({
  [classicList]: {
    body: `<?xml version="1.0"?><computer_extension_attributes><size>${entries.length}</size>${entries.join('')}</computer_extension_attributes>`,
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
  },
  'GET /JSSResource/computerextensionattributes/id/6': {
    body: `<computer_extension_attribute><id>6</id><name>Agent Status</name><enabled>true</enabled><description/>
      <data_type>String</data_type><input_type><type>script</type><platform>Mac</platform>
      <script>#!/bin/sh&#13;\necho "&lt;result&gt;Installed&lt;/result&gt;"&#13;\n</script></input_type>
      <inventory_display>User and Location</inventory_display></computer_extension_attribute>`,
  },
});

async function read(routes: Routes, rememberedId?: string, record: Recorder<JamfReading> = () => undefined) {
  const { jamf } = await jamfWith(routes);
  return readAttribute(jamf, 'Agent Status', record, rememberedId);
}

describe('the definition', () => {
  it('is found among many, in pages', async () => {
    expect(await read(api(definition({ id: 6 })))).toEqual({
      id: '6',
      name: 'Agent Status',
      enabled: true,
      dataType: 'STRING',
      inputType: 'SCRIPT',
      section: 'GENERAL',
      script,
    });
  });

  it('may be shown in an unknown section', async () => {
    expect((await read(api(definition({ inventoryDisplayType: 'SHINY' }))))?.section).toBeUndefined();
  });

  it('comes from the Classic API where the server is older', async () => {
    const found = await read(classic(classicEntry(6, 'Agent Status'), classicEntry(7, 'Agent Status old')));
    expect(found).toMatchObject({ id: '6', enabled: true, dataType: 'STRING', section: 'USER_AND_LOCATION' });
    expect(found?.script.replaceAll('\r', '')).toBe(script.replaceAll('\r', ''));
  });

  it('has the same fingerprint on both', async () => {
    const [newer, older] = [await read(api(definition())), await read(classic(classicEntry(6, 'Agent Status')))];
    expect(newer && computeFingerprint(newer)).toBe(older && computeFingerprint(older));
  });

  it('is refused without an id, by which each Mac names its value', async () => {
    await expect(read(api(definition({ id: null })))).rejects.toMatchObject({ code: 'answer-unreadable' });
  });

  it('cannot be read without permission', async () => {
    expect(await read({ [list]: forbidden })).toBeUndefined();
    expect(
      await read({ [classicList]: { status: 401, body: '<html><head><title>Status page</title></head></html>' } }),
    ).toBeUndefined();
  });

  it.each<[string, Routes, unknown]>([
    ['it is read', api(definition()), { kind: 'one', value: expect.objectContaining({ id: '6' }) }],
    ['there is none', api(), { kind: 'none' }],
    ['there are several', api(definition(), definition({ id: '7' })), { kind: 'several' }],
    [
      'it is forbidden',
      { [list]: forbidden },
      { kind: 'unread', why: expect.stringContaining('Extension Attributes" is missing') },
    ],
    [
      'the list cannot be read',
      { [list]: { status: 400 } },
      { kind: 'unread', why: 'could not be read [request-refused]' },
    ],
  ])('is recorded for the checks: %s', async (_what, routes, attribute) => {
    const recorded: unknown[] = [];
    await read(routes, undefined, (part) => void recorded.push(part)).catch(() => undefined);
    expect(recorded).toMatchObject([{ attribute }]);
  });

  it.each([
    [api(), 'attribute-missing', 'has no extension attribute "Agent Status". Put'],
    [api(definition({ name: 'agent status' })), 'attribute-missing', 'It is now called "agent status".'],
    [classic(classicEntry(6, 'Renamed')), 'attribute-missing', 'It is now called "Renamed".'],
    [api(definition(), definition({ id: '7' })), 'attribute-ambiguous', '(ids 6, 7)'],
    [classic(classicEntry(6, 'Agent Status'), classicEntry(7, 'Agent Status')), 'attribute-ambiguous', '(ids 6, 7)'],
    [{ [list]: { body: { totalCount: 3, results: [] } } }, 'paging-broken', 'fewer entries'],
    [{ [list]: { body: { results: [] } } }, 'paging-broken', 'fewer entries'],
  ])('may not be there: %# [J1, J3]', async (routes, code, words) => {
    await expect(read(routes, '6')).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it('that nobody has is asked after by a name that is near', async () => {
    await expect(
      read(
        {
          [list]: paged([
            { id: '1', name: 'Agent Statsu' },
            { id: '2', name: 7 },
          ]),
        },
        '9',
      ),
    ).rejects.toThrow('no extension attribute "Agent Status". Did you mean "Agent Statsu"?');
  });
  it('of the Classic API may be disabled', () => {
    const parse = (enabled: string) =>
      parseClassicAttribute(parseRoot(`<?xml version="1.0"?><a>${enabled}</a>`, 'a', who));
    expect(['', '<enabled>true</enabled>', '<enabled>false</enabled>'].map((text) => parse(text).enabled)).toEqual([
      true,
      true,
      false,
    ]);
    expect(parse('')).toMatchObject({ id: '', name: '', dataType: '', inputType: '', script: '' });
  });
  it('is enabled unless the server says that it is not, and has no script where it says none', async () => {
    expect(await read(api({ id: '1', name: 'Agent Status' }), '9')).toEqual({
      id: '1',
      name: 'Agent Status',
      enabled: true,
      dataType: '',
      inputType: '',
      section: undefined,
      script: '',
    });
  });
});

const good: AttributeDefinition = {
  id: '6',
  name: 'Agent Status',
  enabled: true,
  dataType: 'STRING',
  inputType: 'SCRIPT',
  section: 'GENERAL',
  script,
};

describe('the fingerprint', () => {
  it.each<[string, Partial<AttributeDefinition>]>([
    ['other line ends', { script: script.replaceAll('\r\n', '\n') }],
    ['more line breaks at the end', { script: `${script}\r\n\n` }],
    ['no line break at the end', { script: script.trimEnd() }],
    ['another place in the inventory', { section: 'HARDWARE' }],
  ])('stays with %s', (_name, changes) => {
    expect(computeFingerprint({ ...good, ...changes })).toBe(computeFingerprint(good));
  });

  it.each<[string, Partial<AttributeDefinition>]>([
    ['another script', { script: script.replace('Installed', 'installed') }],
    ['a byte-order mark', { script: `\uFEFF${script}` }],
    ['white space at the end', { script: `${script}  ` }],
    ['another name', { name: 'Agent' }],
    ['another type', { dataType: 'INTEGER' }],
    ['disabled', { enabled: false }],
  ])('changes with %s [J1]', (_name, changes) => {
    expect(computeFingerprint({ ...good, ...changes })).not.toBe(computeFingerprint(good));
  });
});
