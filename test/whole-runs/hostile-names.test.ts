import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listIds } from './expected-runs.ts';
import {
  makeFolder,
  openSimulator,
  readTableRows,
  readTableText,
  removeFolders,
  runSlot,
  tableNames,
} from './simulator-runs.ts';

afterAll(removeFolders);

const slot = '2026-03-01';

/** Names that people and machines have given devices to harm whoever lists them. */
const corpus: readonly string[] = [
  ...['=1+1', '+1+1', '-1+1', '@SUM(1,1)', '＝1+1', '＋1', '－1', '＠x'],
  ...['\t', '\r', '\n', '\0', '\v', '\f', '\x1f', '\ufeff', '\u200b', ' '].map((start) => `${start}=1+1`),
  ...['=HYPERLINK("http://c/","x")', '=WEBSERVICE("http://c/")', "=cmd|'/c calc'!A0", '=DDE("a","b","c")'],
  ...['a;=1+1', 'a",=1+1', 'a\t=1+1', 'a\n=1+1', 'ID', '007', '5e1234567890', '1/2', 'TRUE', '12345678901234567890'],
  ...['-5', '+3.5', '-.5', '-5e3', '=5', '-', '+', '1.2.3', '--5'],
  ...['<script>canary()</script>', '"><img src=x onerror=canary()>', 'javascript:canary()', '</script><script>'],
  ...['</style>', '<!--', ']]>', '{{7*7}}', '\u0024{7*7}', '&lt;script&gt;', '`', "'onmouseover='"],
  ...['a\u2028b', 'a\u2029b', '<!channel>', '<!here>', '<@U123>', '<http://c|Click>', '*b* _i_ ~s~', '@everyone'],
  ...['[x](http://c)', '![x](http://c/pixel)', '<at>all</at>', 'a\r\nBcc: x', '%0d%0a', 'a\x1b[31mb', 'a\x9bb'],
  ...['a\u0085b', 'a\n{"level":"info"}', 'MAC-\u202egnp.exe', '\u2066x', 'שלום', 'مرحبا', `x${'\u0301'.repeat(200)}`],
  ...[
    '👩‍👩‍👧‍👦',
    'a\ud800b',
    'a\udc00b',
    'Zürich',
    'Zu\u0308rich',
    'pаypal',
    '\uffff',
    '\ue000',
    '',
    ' ',
    'x'.repeat(65_536),
  ],
  ...['../../etc/passwd', 'CON', 'a/b', '%2e%2e', '__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'],
  ...['0', '10', '2', 'a,b', '"', '""', 'a"b', "'", '\\', '\\n', 'a\r', '\r\n\r\n', 'a  b'],
];

const longest = 1_024;

interface Finding {
  readonly resources: readonly [
    { readonly name?: string; readonly data: Readonly<Record<'source' | 'device_id', string>> },
  ];
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029;
}

/** The rule for a cell as the design words it, one character after the other. */
function cellOf(name: string): string {
  // A spreadsheet of another country begins a cell at each semicolon or tab.
  const parts = name
    .slice(0, longest)
    .toWellFormed()
    .split(/([;\t])/);
  const text = toShown(parts.map(quoteWhereFormula).join(''));
  return beginsFormula(text) ? `'${text}` : text;
}

function quoteWhereFormula(part: string): string {
  const characters = [...part];
  const begin = characters.findIndex((one) => one.trim() !== '' && !isControl(one.codePointAt(0) ?? 0));
  return begin !== -1 && beginsFormula(characters.slice(begin).join(''))
    ? [...characters.slice(0, begin), "'", ...characters.slice(begin)].join('')
    : part;
}

/** Each run of controls is a space. */
function toShown(name: string): string {
  let text = '';
  for (const character of name) {
    if (!isControl(character.codePointAt(0) ?? 0)) {
      text += character;
    } else if (!text.endsWith('\0')) {
      text += '\0';
    }
  }
  return text.replaceAll('\0', ' ').trim();
}

function beginsFormula(text: string): boolean {
  const first = [...text].find((one) => one !== '"' && !showsNothing.test(one)) ?? '';
  const number = toShown(text);
  const isNumber =
    number !== '' && /^[+-]?[\d.]+$/.test(number) && !Number.isNaN(Number(number)) && !number.endsWith('.');
  return ['=', '+', '-', '@', '＝', '＋', '－', '＠'].includes(first) && !isNumber;
}

/** RFC 4180, read by nothing but this test. */
function parsed(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') {
      quoted = !quoted;
    } else if (!quoted && character === ',') {
      row.push(cell);
      cell = '';
    } else if (!quoted && character === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else {
      cell += character;
    }
  }
  expect([quoted, row, cell]).toEqual([false, [], '']);
  return rows;
}

/** Controls, spaces, marks without a letter, and letters that are drawn as nothing. */
const showsNothing = /^[\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]*$/u;

test('no name adds a row or a finding, changes another, or becomes a formula [N1, N2]', async () => {
  const setup = await openSimulator({ devices: 4 * corpus.length, seed: 3 }, slot);
  const names = new Map<string, string>();
  const given = new Map<string, string>();
  for (const source of ['macs', 'windows'] as const) {
    const ids = listIds(setup.simulator, source);
    for (const [index, name] of corpus.entries()) {
      const id = ids[index] ?? '';
      setup.simulator.changeDevice(source, id, { name });
      names.set(`${source} ${id}`, cellOf(name));
      given.set(`${source} ${id}`, name);
    }
  }
  const folder = await makeFolder();
  const { exit } = await runSlot(setup, folder, slot);
  expect(exit).toBe(0);

  const rows = await readTableRows(folder, slot, 'devices');
  expect(rows).toHaveLength(setup.simulator.listRecords().length);
  const shown = new Map(rows.map((row) => [`${row.source} ${row.device_id}`, row.device_name]));
  for (const [key, name] of names) {
    expect([key, shown.get(key)]).toEqual([key, name]);
  }

  for (const table of tableNames) {
    const text = await readTableText(folder, slot, table);
    const [header = [], ...cells] = parsed(text);
    expect(cells.every((row) => row.length === header.length)).toBe(true);
    expect(cells).toHaveLength(text.split('\n').length - 2);
    expect(cells).toHaveLength((await readTableRows(folder, slot, table)).length);
    expect(text).toBe(text.toWellFormed());
    const strange = [...new Set(text)].filter((character) => character !== '\n' && isControl(character.charCodeAt(0)));
    expect(strange).toEqual([]);
    const formulas = cells.flat().filter((cell) => /^[=@＝＋－＠]|^[+-](?![\d.]+$)/.test(cell));
    expect(formulas).toEqual([]);
  }

  // A finding keeps the name as it is, within its bound; a device whose name shows nothing is called by serial number or id.
  const lacking = rows.filter(({ status, counted }) => status === 'Not Installed' && counted === 'true');
  const expected = lacking.map(({ source, device_id: id, device_name: shownName, serial_number: serial }) => {
    const key = `${source} ${id}`;
    const name = given.get(key) ?? shownName ?? '';
    return [key, showsNothing.test(name.toWellFormed()) ? serial || id : name.slice(0, longest).toWellFormed()];
  });
  expect(expected.filter(([key = '']) => given.has(key)).length).toBeGreaterThan(20);
  const text = await readFile(join(folder, 'muster-data', 'findings', `date=${slot}`, 'findings.ndjson'), 'utf8');
  const findings = text.split('\n').slice(0, -1);
  // The simulator has hostile names of its own, of which only the cell is known here.
  const named = findings.map((line) => nameOf(JSON.parse(line)));
  expect(named.map(([key, name = '']) => [key, given.has(key) ? name : cellOf(name)])).toEqual(expected);
  await setup.close();
});

function nameOf({ resources: [{ name, data }] }: Finding): [key: string, name: string | undefined] {
  return [`${data.source} ${data.device_id}`, name];
}
