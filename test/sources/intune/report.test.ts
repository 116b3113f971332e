import { describe, expect, it, test } from 'vitest';
import { isPlausibleCount, isSameReport } from '../../../src/sources/intune/report/compare-rows.ts';
import { parseReportCsv, parseReportPage, type ReportRow } from '../../../src/sources/intune/report/rows.ts';

const readCsv = (csv: string) => parseReportCsv([Buffer.from(csv)], 'Graph');

const expected = {
  deviceId: 'AAAA',
  userId: 'u1',
  state: '2',
  stateDetail: '2000',
  errorCode: '-2016345060',
  hexErrorCode: '0x87D1041C',
  modifiedAt: '2026-11-19 22:10:33.0000000',
};

test('columns are found by name, in any order, with a byte-order mark and columns that were not requested [X6]', async () => {
  const csv =
    '\uFEFFInstallState,AppInstallState_loc,LastModifiedDateTime,HexErrorCode,ErrorCode,InstallStateDetail,UserId,DeviceId\r\n' +
    '2,"Failed, ""badly""\r\nand over two lines",2026-11-19 22:10:33.0000000,0x87D1041C,-2016345060,2000,u1,AAAA\r\n';
  expect(await readCsv(csv)).toEqual([expected]);
});

test('every row is kept, also equal ones, and the state stays as it came', async () => {
  const rows = await readCsv('DeviceId,InstallState\nA,1\nA,1\nB, 3 \nC,\n,Installed\n');
  expect(rows.map((row) => [row.deviceId, row.state])).toEqual([
    ['A', '1'],
    ['A', '1'],
    ['B', ' 3 '],
    ['C', ''],
    ['', 'Installed'],
  ]);
  expect(rows[0]).toMatchObject({ userId: '', modifiedAt: '' });
});

test.each([
  ['without a line break at its end [X11]', 'DeviceId,InstallState\nA,1\nB,3'],
  ['with blank lines at its end [X11]', 'DeviceId,InstallState\r\nA,1\r\nB,3\r\n\r\n'],
  ['with quotes around everything [X11]', '"DeviceId","InstallState"\r\n"A","1"\r\n"B","3"\r\n'],
])('a file %s has its two rows', async (_what, csv) => {
  expect((await readCsv(csv)).map(({ deviceId, state }) => [deviceId, state])).toEqual([
    ['A', '1'],
    ['B', '3'],
  ]);
});

test('NUL and line breaks within a field stay in it [X11]', async () => {
  expect(await readCsv('DeviceId,InstallState\nA\0,"1\r\n3"\n')).toMatchObject([{ deviceId: 'A\0', state: '1\r\n3' }]);
});

test('it may come in pieces, cut anywhere', async () => {
  const csv = Buffer.from('\uFEFFDeviceId,InstallState,UserId\r\nÄ,1,"u ""1"""\r\nB,3,"😀\r\n"\r\n');
  const whole = await parseReportCsv([csv], 'Graph');
  expect(whole.map(({ userId }) => userId)).toEqual(['u "1"', '😀\r\n']);
  for (let at = 0; at <= csv.length; at += 1) {
    expect(await parseReportCsv([csv.subarray(0, at), csv.subarray(at)], 'Graph')).toEqual(whole);
  }
  const cut = csv.subarray(0, csv.indexOf('😀') + 2);
  await expect(parseReportCsv([cut], 'Graph')).rejects.toThrow('is not UTF-8 text');
});

test.each([
  ['only a mark', '\uFEFF'],
  ['no InstallState [X6]', 'DeviceId,AppInstallState_loc\nA,Installed\n'],
  ['a documented column twice [X6]', 'DeviceId,AppInstallState,AppInstallState\nA,1,3\n'],
  ['a column twice [X6]', 'DeviceId,InstallState,InstallState\nA,1,3\n'],
  ['line ends of two kinds [X11]', 'DeviceId,InstallState\r\nA,1\nB,3\r\n'],
  ['a delimiter at the end of a row [X11]', 'DeviceId,InstallState\nA,1,\n'],
  ['a row of ten thousand columns [H31]', `DeviceId,InstallState\nA${',1'.repeat(10_000)}\n`],
  ['a long row [X11, H31]', 'DeviceId,InstallState\nA,1,x\n'],
  ['an open quote [X11]', 'DeviceId,InstallState\n"A,1\nB,3\n'],
  ['a bare quote [X11]', 'DeviceId,InstallState\nA,1"3\n'],
  ['a web page', '<html>\n<body>Sign in</body>\n</html>\n'],
])('refuses %s', async (_what, csv) => {
  await expect(readCsv(csv)).rejects.toMatchObject({ code: 'answer-unreadable' });
});

const schema = [
  'DeviceId',
  'InstallState',
  'UserId',
  'InstallStateDetail',
  'ErrorCode',
  'HexErrorCode',
  'LastModifiedDateTime',
];
const page = {
  TotalRowCount: 812,
  Schema: schema.map((Column) => ({ Column, PropertyType: 'String' })),
  Values: [['AAAA', 2, 'u1', 2000, -2016345060, '0x87D1041C', '2026-11-19 22:10:33.0000000']],
};

test('the synchronous action gives the same rows', () => {
  expect(parseReportPage(page, 'Graph')).toEqual({ total: 812, rows: [expected] });
  expect(parseReportPage({ TotalRowCount: 0, Schema: [], Values: [] }, 'Graph')).toEqual({ total: 0, rows: [] });
});

const shape: ReportRow = { ...expected, hasFilter: undefined, deviceId: 'D', userId: 'u' };

describe('a report', () => {
  const csv = (header: string, ...lines: string[]) =>
    parseReportCsv([Buffer.from([header, ...lines].join('\n'))], 'Graph');
  const page = (body: object) => parseReportPage(body, 'Graph');

  it.each([
    ['1', true],
    [' TRUE ', true],
    ['False', false],
    ['', undefined],
    ['yes', undefined],
    ['toString', undefined],
  ])('says of filters %j: %s', async (flag, expected) => {
    const header = 'DeviceId,InstallState,AssignmentFilterIdsExist';
    expect((await csv(header, `D,1,${flag}`))[0]?.hasFilter).toBe(expected);
  });

  it.each([
    [true, true],
    [1, true],
    [null, undefined],
  ])('of the synchronous action says of filters %j: %s', (flag, expected) => {
    const Schema = ['DeviceId', 'InstallState', 'AssignmentFilterIdsExist'].map((Column) => ({ Column }));
    expect(page({ TotalRowCount: 1, Schema, Values: [['D', 1, flag]] }).rows[0]?.hasFilter).toBe(expected);
  });

  it('without that column says nothing of filters', async () => {
    expect((await csv('DeviceId,InstallState', 'D,1'))[0]).toEqual({
      deviceId: 'D',
      userId: '',
      state: '1',
      stateDetail: '',
      errorCode: '',
      hexErrorCode: '',
      modifiedAt: '',
      hasFilter: undefined,
    });
  });

  it('has its columns by their names, with blanks around, and the first row is the header', async () => {
    expect(
      (await csv(' InstallState , DeviceId ', '3,D')).map(({ deviceId, state }) => `${deviceId} ${state}`),
    ).toEqual(['D 3']);
  });

  it.each<[string, () => unknown, string]>([
    ['no bytes', () => parseReportCsv([], 'Graph'), 'The app report of Graph is empty and has no header.'],
    ['bytes that are no text', () => parseReportCsv([Buffer.from([0xff, 0xfe, 0x41])], 'Graph'), 'is not UTF-8 text.'],
    ['no DeviceId', () => csv('InstallState', '1'), 'lacks the column DeviceId.'],
    [
      'a record that never ends',
      () => csv('DeviceId,InstallState', `${'x'.repeat(1024 * 1024 + 1)},1`),
      'is broken (CSV_MAX_RECORD_SIZE',
    ],
    ['a body that is a list', () => page([]), 'is not an object.'],
    ['no total', () => page({ Values: [] }), 'has no TotalRowCount.'],
    ['no schema', () => page({ TotalRowCount: 1, Values: [[]] }), 'has no Schema.'],
    [
      'a longer row',
      () =>
        page({ TotalRowCount: 1, Schema: [{ Column: 'DeviceId' }, { Column: 'InstallState' }], Values: [['D', 1, 2]] }),
      'has a row of another length.',
    ],
    [
      'a cell that is a list',
      () =>
        page({ TotalRowCount: 1, Schema: [{ Column: 'DeviceId' }, { Column: 'InstallState' }], Values: [['D', []]] }),
      'has something other than text or a number in InstallState.',
    ],
  ])('with %s is refused', async (_, read, why) => {
    const refused = { code: 'answer-unreadable', message: expect.stringContaining(why) };
    await expect((async () => read())()).rejects.toMatchObject(refused);
  });

  it('of the synchronous action may have no row, whatever its schema', () => {
    expect(page({ TotalRowCount: 7, Values: [] })).toEqual({ total: 7, rows: [] });
    expect(
      page({ TotalRowCount: 1, Schema: [{ Column: 'InstallState' }, { Column: 'DeviceId' }], Values: [[null, 'D']] })
        .rows,
    ).toMatchObject([{ deviceId: 'D', state: '' }]);
  });

  const rows = (count: number, more: Partial<ReportRow> = {}) =>
    Array.from({ length: count }, (_, index) => ({ ...shape, deviceId: `d${index}`, ...more }));
  it.each<[string, ReportRow[], ReportRow[], boolean]>([
    [
      'the same rows in another order and case',
      rows(9),
      rows(9)
        .toReversed()
        .map((one) => ({ ...one, deviceId: `{${one.deviceId.toUpperCase()}}`, userId: 'U' })),
      true,
    ],
    ['six more', rows(20), rows(26), false],
    ['six fewer', rows(26), rows(20), false],
    [
      'five other devices',
      [...rows(20), ...rows(5).map((one) => ({ ...one, deviceId: `a${one.deviceId}` }))],
      [...rows(20), ...rows(5).map((one) => ({ ...one, deviceId: `b${one.deviceId}` }))],
      true,
    ],
    [
      'six other devices',
      [...rows(20), ...rows(6).map((one) => ({ ...one, deviceId: `a${one.deviceId}` }))],
      [...rows(20), ...rows(6).map((one) => ({ ...one, deviceId: `b${one.deviceId}` }))],
      false,
    ],
    ['the same devices of other users', rows(9), rows(9, { userId: 'v' }), false],
    ['more than half a per cent of many more', rows(2000), rows(2011), false],
  ])('and another are the same with %s: %#', (_, one, other, expected) => {
    expect(isSameReport(one, other)).toBe(expected);
  });
});

test.each([
  { rows: 100, total: 100, baseline: 100, is: true },
  { rows: 95, total: 100, baseline: undefined, is: true },
  { rows: 106, total: 100, baseline: undefined, is: false },
  { rows: 9_950, total: 10_000, baseline: undefined, is: true },
  { rows: 9_949, total: 10_000, baseline: undefined, is: false },
  { rows: 50, total: 12_000, baseline: 12_000, is: false },
  { rows: 0, total: 0, baseline: undefined, is: true },
  { rows: 0, total: 0, baseline: 1, is: false },
  { rows: 0, total: 3, baseline: undefined, is: false },
  { rows: 10, total: 10, baseline: 900, is: true },
])('$rows rows of $total, baseline $baseline: $is', ({ rows, total, baseline, is }) => {
  expect(isPlausibleCount(rows, total, baseline)).toBe(is);
});
