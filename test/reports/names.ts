/** Hostile and odd texts, as a device's name can hold them. Every output must take every one of them. */
const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(1,1)'];
const before = ['\t', '\r', '\n', '\r\n', '\u0000', '\u000b', '\u000c', '\u001f', '\ufeff', '\u200b', ' ', '\u00a0'];

export const hostileNames: readonly string[] = [
  ...formulas,
  ...formulas.flatMap((formula) => before.map((first) => `${first}${formula}`)),
  ...['\uff1d1+1', '\uff0b1+1', '\uff0d1+1', '\uff201+1', '\n\uff1d1+1'],
  ...['=HYPERLINK("http://c/","x")', '=WEBSERVICE("http://c/")', "=cmd|'/c calc'!A0", '=DDE("a","b","c")'],
  ...['a;=1+1', 'a",=1+1', 'a\t=1+1', 'a\n=1+1', '"=1+1"', "'=1+1", '""', '"', ',', ',,', 'a,b', 'a"b', '\\"', '\\'],
  ...['ID', '007', '5e1234567890', '1/2', 'TRUE', '12345678901234567890', '-1', '+1', '-1.5', '.5', '-.5', '-1e5', '-'],
  ...['<script>canary()</script>', '"><img src=x onerror=canary()>', 'javascript:canary()', '</script><script>'],
  ...['</style>', '<!--', ']]>', '{{7*7}}', ['$', '{7*7}'].join(''), '&lt;script&gt;', '`', "'onmouseover='"],
  ...['\u2028', '\u2029', 'a\u2028b', 'a\u2029=1', '\u2028=1+1'],
  ...['<!channel>', '<!here>', '<@U123>', '<http://c|Click>', '*b* _i_ ~s~', '@everyone', '[x](http://c)'],
  ...['![x](http://c/pixel)', '<at>all</at>', 'a\r\nBcc: x', '%0d%0a', '\u001b[31mred', '\u009b31m', 'a\u0085b'],
  ...[
    '\n{"level":"info","msg":"forged"}',
    '\u202egnp.exe',
    '\u2066x\u2069',
    'שלום',
    'مرحبا',
    `e${'\u0301'.repeat(200)}`,
  ],
  ...[
    '👨‍👩‍👧‍👦',
    '\ud800',
    'a\udfffb',
    'é',
    'e\u0301',
    'pаypal',
    '\uffff',
    '\ue000',
    '',
    ' ',
    '\t',
    'x'.repeat(65_536),
  ],
  ...['../../etc/passwd', 'CON', 'a/b', '%2e%2e', '__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'],
  ...['0', '10', '2', 'null', 'undefined', 'NaN', '1e400', '{coverage}', '{agent}', '$&', '$1'],
  ...['_x0041_', '_x000D_', '_xFFFF_', '\ufffe', '<svg onload=canary()>', '" onfocus="canary()" autofocus="'],
  ...['</script><script>canary()//', '</style><script>canary()</script>', 'MAC-\u202egnp.exe', 'abc\u2067def', 'ΜΑC-1'],
];
