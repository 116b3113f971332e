/** Mails as other programs have them: sent to a real server, taken apart by a parser, shown by a browser. */
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { appendToHtml, renderHtml } from '../../src/alerts/message/html.ts';
import { renderPlainText } from '../../src/alerts/message/plain-text.ts';
import { fakeClock } from '../http/loopback.ts';
import { hostileNames } from '../reports/names.ts';
import { useViewer } from '../reports/use-viewer.ts';
import { openPlain } from './channel-subjects.ts';
import { buildExampleMessage, busyNight, lostNight, manySources } from './example-messages.ts';
import { openSmtpServer } from './mail-server.ts';

const people = { from: 'muster@example.com', to: ['soc@example.com'] };
type Message = ReturnType<typeof buildExampleMessage>;

/** The mail as it came, once for each time that it was sent. */
async function sendMail(message: Message, attachment?: Buffer | 'too large', times = 1): Promise<string[]> {
  const mails: string[] = [];
  const server = await openSmtpServer((mail, callback) => {
    mails.push(mail);
    callback();
  });
  const address = { host: '127.0.0.1', port: server.port, ...people };
  const channel = openPlain({ type: 'smtp', weekly: false, attach: 'workbook', ...address });
  const [payload] = channel.render(message);
  const { signal } = new AbortController();
  for (let time = 0; time < times; time += 1) {
    await channel.send(payload, { key: 'muster/1', clock: fakeClock(), signal, deadline: 60_000, attachment });
  }
  await server.close();
  return mails;
}

/** The lines of lists in a plain text, without the addresses under them. */
const listLines = (text = '') => [...text.matchAll(/^ {2}- (.*)$/gm)].map(([, line]) => line);

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`', amp: '&' };
const listItems = (document = '') =>
  [...document.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, item = '']) =>
    item.replace(/<[^>]+>/g, '').replace(/&(\S+?);/g, (_, name) => entities[name] ?? ''),
  );

describe('a mail', () => {
  it('has the same lines as plain text and as HTML', async () => {
    const [mail = ''] = await sendMail(buildExampleMessage(busyNight()));
    expect(mail).toMatch(/content-type: multipart\/alternative/i);
    expect(mail).not.toMatch(/multipart\/mixed/);
    const { text, html, subject } = await PostalMime.parse(mail);
    expect(subject).toMatch(/^Muster error: /);
    expect(listLines(text).length).toBeGreaterThan(5);
    expect(listItems(html)).toEqual(listLines(text));
  });

  it('has both beside what is attached', async () => {
    const [mail = ''] = await sendMail(buildExampleMessage(busyNight()), Buffer.from('the workbook'));
    expect(mail).toMatch(/^content-type: multipart\/mixed/im);
    const { text, html, attachments } = await PostalMime.parse(mail);
    expect(listItems(html)).toEqual(listLines(text));
    expect(attachments.map(({ filename }) => filename)).toEqual(['muster.xlsx']);
    const [{ content } = { content: '' }] = attachments;
    expect(Buffer.from(content as ArrayBuffer).toString()).toBe('the workbook');
  });

  it('says in both that a report is too large', async () => {
    const [mail = ''] = await sendMail(buildExampleMessage(busyNight()), 'too large');
    const { text, html } = await PostalMime.parse(mail);
    expect(text).toContain('The report is too large for a mail');
    expect(html).toMatch(/>The report is too large for a mail [^<]+<\/p>\s*<\/div>\s*<!--.*-->\s*<\/body>/);
  });

  it('is the same at each attempt but for its date', async () => {
    const mails = await sendMail(buildExampleMessage(busyNight()), Buffer.from('the workbook'), 2);
    const [first, second] = mails.map((mail) => mail.replace(/^Date: .*/m, ''));
    expect(first).toContain('multipart/mixed');
    expect(second).toBe(first);
  });

  it.each([
    ['of a thousand devices of endless names', () => lostNight(Array.from({ length: 1000 }, () => '🦊'.repeat(200)))],
    ['of sixty sources', () => manySources(60)],
  ])('%s is short enough for Gmail to show it whole [L4]', (_, night) => {
    const channel = openPlain({ type: 'smtp', weekly: false, host: '127.0.0.1', port: 25, ...people });
    const [{ html, text }] = channel.render(buildExampleMessage(night())) as [{ html: string; text: string }];
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(100_000);
    expect(listItems(html)).toEqual(listLines(text));
  });

  it('shows the path of a folder as text, and links nothing', () => {
    const document = renderHtml(buildExampleMessage(busyNight(), '/srv/<muster>/index.html').digest);
    expect(document).toContain('/srv/&lt;muster&gt;/index.html');
    expect(document).not.toMatch(/<a |href/);
  });
});

describe('in a browser', () => {
  const { getViewer } = useViewer();
  const allowedTags = 'A,BDI,BODY,DIV,H1,H2,HEAD,HTML,LI,META,P,SPAN,TABLE,TBODY,TD,TITLE,TR,UL';

  async function show(mail: string) {
    const context = await getViewer().browser.newContext({ colorScheme: 'dark' });
    const page = await context.newPage();
    const requests: string[] = [];
    let calls = 0;
    await page.exposeFunction('canary', () => {
      calls += 1;
    });
    await page.route('**/*', async (route) => {
      requests.push(route.request().url());
      await route.abort();
    });
    await page.setContent(mail);
    const everything = page.locator('body *');
    const found = {
      tags: await page.locator('*').evaluateAll((all) => [...new Set(all.map(({ tagName }) => tagName))].sort()),
      attributes: await everything.evaluateAll((all) => [...new Set(all.flatMap((one) => one.getAttributeNames()))]),
      links: await page.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? '')),
      items: await page.locator('li').allTextContents(),
    };
    await context.close();
    return { ...found, requests, calls };
  }

  it.each(Array.from({ length: Math.ceil(hostileNames.length / 8) }, (_, index) => index * 8))(
    'hostile names from %i are text: nothing runs, is fetched or linked but the report [N10]',
    async (start) => {
      const names = hostileNames.slice(start, start + 8);
      const { digest } = buildExampleMessage({ ...lostNight(names), agent: names[0] ?? '' });
      const shown = await show(appendToHtml(renderHtml(digest), 'A note.'));
      expect(shown).toMatchObject({ requests: [], calls: 0 });
      expect(allowedTags.split(',')).toEqual(expect.arrayContaining(shown.tags));
      expect(shown.attributes.sort()).toEqual(['cellspacing', 'href', 'role', 'style']);
      for (const link of shown.links) {
        expect(link === digest.link || link.startsWith(`${digest.link}#device=macs/`), link).toBe(true);
      }
      expect(shown.items).toEqual(listLines(renderPlainText(digest)));
      expect(shown.items).not.toEqual([]);
    },
  );
});
