/** Names that devices have been given, or could be, by people who wish us ill. Each goes through every report. */
const controls = ['\t', '\r', '\n', '\u0000', '\v', '\f', '\u001f', '\ufeff', '\u200b'];

export const hostileNames: readonly string[] = [
  // Formulas and what spreadsheets read into text.
  ...['=1+1', '+1+1', '-1+1', '@SUM(1,1)', '＝1+1', '＋1+1', '－1+1', '＠SUM(1,1)'],
  ...controls.map((control) => `${control}=1+1`),
  ...['=HYPERLINK("http://c/","x")', '=WEBSERVICE("http://c/")', "=cmd|'/c calc'!A0", '=DDE("a","b","c")'],
  ...['a;=1+1', 'a",=1+1', 'a\t=1+1', 'a\n=1+1', 'ID', '007', '5e1234567890', '1/2', 'TRUE', '12345678901234567890'],
  ...['_x0041_', '_x000D_', '_xFFFF_'],
  // Markup, scripts, templates.
  ...[
    '<script>canary()</script>',
    '"><img src=x onerror=canary()>',
    'javascript:canary()',
    '</script><script>canary()//',
  ],
  ...['</style><script>canary()</script>', '<!--', '-->', ']]>', '{{7*7}}', `$\{7*7}`, '&lt;script&gt;', '`canary()`'],
  ...["' onmouseover='canary()", '" onfocus="canary()" autofocus="', '<svg onload=canary()>', 'a\u2028b', 'a\u2029b'],
  ...['{coverage}', '{agent}', '$&', '$1'],
  // Mentions and links of messengers.
  ...['<!channel>', '<!here>', '<@U123>', '<http://c|Click>', '*b* _i_ ~s~', '@everyone', '[x](http://c)'],
  ...['![x](http://c/pixel)', '<at>all</at>'],
  // Headers, terminals, logs.
  ...[
    'x\r\nBcc: x@example.com',
    '%0d%0aBcc: x',
    '\u001b[31mred',
    '\u009b31mred',
    'a\u0085b',
    'x\n{"level":"info","message":"forged"}',
  ],
  // Directions, compositions, and what is hardly text.
  ...[
    'MAC-\u202egnp.exe',
    '\u2066abc',
    'abc\u2067def',
    'מחשב',
    'حاسوب',
    `e${'\u0301'.repeat(200)}`,
    '👩‍👩‍👧‍👦',
    '\ud800',
  ],
  ...['a\udc00b', 'é', 'e\u0301', 'ΜΑC-1', '\uffff', '\ufffe', '\ue000', ' ', 'x'.repeat(65_536)],
  // Paths and names that programs keep for themselves.
  ...['../../etc/passwd', 'CON', 'a/b', '%2e%2e', '__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'],
  ...['0', '10', '2', '-1', '1e400'],
];
