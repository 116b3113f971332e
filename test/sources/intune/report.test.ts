import { expect, test } from 'vitest';
import { parseReportCsv, parseReportPage } from '../../../src/sources/intune/report.ts';

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

test('a header alone is a report without rows', async () => {
  expect(await readCsv('\uFEFFDeviceId,InstallState\r\n')).toEqual([]);
});

test.each([
  ['nothing', ''],
  ['only a mark', '\uFEFF'],
  ['no DeviceId', 'InstallState,UserId\n1,u\n'],
  ['no InstallState [X6]', 'DeviceId,AppInstallState\nA,Installed\n'],
  ['a column twice [X6]', 'DeviceId,InstallState,InstallState\nA,1,3\n'],
  ['line ends of two kinds [X11]', 'DeviceId,InstallState\r\nA,1\nB,3\r\n'],
  ['a delimiter at the end of a row [X11]', 'DeviceId,InstallState\nA,1,\n'],
  ['a row of ten thousand columns [H31]', `DeviceId,InstallState\nA${',1'.repeat(10_000)}\n`],
  ['a short row [X11]', 'DeviceId,InstallState,UserId\nA,1\n'],
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

test.each([
  ['null', null],
  ['no total', { ...page, TotalRowCount: undefined }],
  ['a total in words', { ...page, TotalRowCount: '812' }],
  ['a negative total', { ...page, TotalRowCount: -1 }],
  ['no values', { ...page, Values: undefined }],
  ['no schema', { ...page, Schema: undefined }],
  ['a row of another length', { ...page, Values: [['AAAA', 2]] }],
  ['a row that is none', { ...page, Values: [{ DeviceId: 'AAAA' }] }],
  ['a cell that is an object', { ...page, Values: [['AAAA', { is: 1 }, '', 0, 0, '', '']] }],
])('refuses %s', (_what, body) => {
  expect(() => parseReportPage(body, 'Graph')).toThrow(expect.objectContaining({ code: 'answer-unreadable' }));
});
