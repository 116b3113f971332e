/** A message as HTML for mail readers: what it shows of the digest, and what it leaves out. */
import { describe, expect, it } from 'vitest';
import type { Digest, DigestSection } from '../../src/alerts/message/digest.ts';
import { appendToHtml, renderHtml } from '../../src/alerts/message/html.ts';
import { buildTestMessage } from '../../src/alerts/message/other-messages.ts';

const page = 'https://reports.example.com/index.html';

function digest(changes: Partial<Digest> = {}): Digest {
  return {
    ...{ about: 'night', agent: 'Agent', slot: '2026-06-04', commit: 4, title: '50.00 % · 1 lost the agent' },
    ...{ sections: [], further: 0, kinds: [], severity: 'warning', ...changes },
  };
}

function section(changes: Partial<DigestSection> = {}): DigestSection {
  return { title: 'Lost the agent', ask: 'Install it again.', count: 1, lines: [], more: 0, ...changes };
}

const render = (changes: Partial<Digest> = {}) => renderHtml(digest(changes));

/** What a reader sees of the body, an element a line. */
const readBody = (document: string) =>
  document
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<\/?(?:a|bdi|span)\b[^>]*>/g, '')
    .split(/<[^>]+>/)
    .map((text) => text.trim())
    .filter((text) => text !== '');

/** The texts that are links, under their addresses. */
const listLinks = (document: string) =>
  [...document.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, link, text]) => [link, text]);

describe('a message as HTML', () => {
  it('says all of it, from the heading to the run', () => {
    const sections = [section({ lines: ['mac-1, macs'], more: 3 }), section({ title: 'First run', ask: 'Nothing.' })];
    const document = render({ figures: '50 % of 2 devices', link: page, sections, further: 2 });
    expect(document).toContain('<title>Muster: 50.00 % · 1 lost the agent (Agent, 2026-06-04)</title>');
    expect(readBody(document)).toEqual([
      'Warning – Agent – run of 2026-06-04',
      '50.00 % · 1 lost the agent',
      '50 % of 2 devices',
      'Open the whole report',
      'Lost the agent',
      'Install it again.',
      'mac-1, macs',
      'and 3 more, in the report',
      'First run',
      'Nothing.',
      '2 more of these lists are in the report.',
      'Sent by Muster for the run of 2026-06-04.',
    ]);
  });

  it('that is a test belongs to no run, has no figures and leads nowhere', () => {
    const document = renderHtml(buildTestMessage('Agent', '2026-06-04').digest);
    expect(readBody(document)).toEqual([
      'Agent – test',
      'A test: this channel works',
      'A test',
      'Nothing to do.',
      'This is a test of Muster’s alerts. Nothing happened, and nothing needs to be done.',
      'Sent by Muster.',
    ]);
    expect(listLinks(document)).toEqual([]);
    expect(document).not.toContain('style="margin:16px 0 0"');
  });

  it('pads in the cells of tables and has a width of its own in Outlook, which knows neither padding nor max-width of a block (mornings D13)', () => {
    const document = render({ link: page });
    const cells = [...document.matchAll(/<td style="([^"]*)">\s*<(\w+)/g)].map(([, style, tag]) => [style, tag]);
    expect(cells).toEqual([
      [expect.stringMatching(/^border-left:4px solid #\w+;padding:/), 'p'],
      [expect.stringMatching(/^padding:.*border:1px solid/), 'a'],
    ]);
    expect(document.match(/<!--\[if mso\]>.*?<!\[endif\]-->/g)).toEqual([
      '<!--[if mso]><table role="presentation" width="640" align="center"><tr><td><![endif]-->',
      '<!--[if mso]></td></tr></table><![endif]-->',
    ]);
    expect(document.match(/<table(?! role="presentation")/)).toBeNull();
  });

  it('has a list where a section has lines, and none where it has not', () => {
    expect(render({ sections: [section()] })).not.toContain('<ul');
    expect(render({ sections: [section({ lines: ['a', 'b'] })] }).match(/<(?:ul|li)\b/g)).toEqual([
      '<ul',
      '<li',
      '<li',
    ]);
  });

  it('links the report by a button, and what points at it, where it has an address', () => {
    const document = render({ link: page, sections: [section({ more: 1 })], further: 1 });
    expect(listLinks(document)).toEqual([
      [page, 'Open the whole report'],
      [page, '<bdi>and 1 more, in the report</bdi>'],
      [page, '<bdi>1 more of these lists is in the report.</bdi>'],
    ]);
  });

  it('shows the path of a folder as text', () => {
    const document = render({ link: '/srv/muster/index.html', sections: [section({ more: 1 })] });
    expect(readBody(document)).toContain('The whole report: /srv/muster/index.html');
    expect(listLinks(document)).toEqual([]);
  });

  it('isolates the name of a device, which alone is its link', () => {
    const lines = ['mac-1, macs: lost', 'windows: away'];
    const document = render({ sections: [section({ lines, names: ['mac-1', ''], links: [`${page}#a`, ''] })] });
    expect(document).toMatch(/<li[^>]*><a href="[^"]*" style="[^"]+"><bdi>mac-1<\/bdi><\/a>, macs: lost<\/li>/);
    expect(document).toMatch(/<li[^>]*>windows: away<\/li>/);
    expect(listLinks(document)).toEqual([[`${page}#a`, '<bdi>mac-1</bdi>']]);
  });

  it('keeps a date on one line, and leaves longer numbers alone', () => {
    const date = '<span style="white-space:nowrap">2026-06-04</span>';
    expect(render({ figures: 'Up since 2026-06-04, and 12026-06-04.' })).toContain(
      `>Up since ${date}, and 12026-06-04.</p>`,
    );
    expect(render({ sections: [section({ lines: ['since 2026-06-04'] })] })).toContain(`>since ${date}</li>`);
  });

  it('has another colour for each severity', () => {
    const colors = (['error', 'warning', 'info'] as const).map(
      (severity) => /border-left:4px solid (#[0-9a-f]{6})/.exec(render({ severity }))?.[1],
    );
    expect(colors).not.toContain(undefined);
    expect(new Set(colors).size).toBe(3);
  });

  it('takes a sentence at its end, escaped', () => {
    const document = appendToHtml(render(), 'Too <large>.');
    expect(readBody(document).slice(-2)).toEqual(['Sent by Muster for the run of 2026-06-04.', 'Too &lt;large&gt;.']);
    expect(document).toMatch(/<\/p>\s*<\/div>\s*<!--.*-->\s*<\/body>\s*<\/html>\s*$/);
    expect(document.match(/<\/body>/g)).toHaveLength(1);
  });
});
