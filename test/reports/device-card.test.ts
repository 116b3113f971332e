/** One device on the page: how it is found, and what its card says of it. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { listTransitions } from '../../src/core/ledger/letters.ts';
import { at, judgeOnce, judgeRuns, makeFinding, makeMac, makePc, makeSource } from '../core/make-facts.ts';
import { hasBrowser } from '../needs.ts';
import type { Visit } from './browser.ts';
import { type Row, rowsOf } from './csv.ts';
import { openQuarterPage } from './quarter-page.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer, open } = useViewer();
let night: Night;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  if (hasBrowser) {
    ({ night, visit, page } = await openQuarterPage(getViewer()));
  }
});

describe('the search', () => {
  const field = () => page.locator('#find-field');
  const options = () => page.locator('#find-results [role=option]').allInnerTexts();
  const rowsOfDevices = () => rowsOf('devices', night);

  it('finds every device by name, serial number, user and id', async () => {
    const rows = await rowsOfDevices();
    const healthy = rows.find((row) => row.proven === 'true' && row.status === 'Installed') as Row;
    for (const text of [healthy.device_name, healthy.serial_number?.toLowerCase(), healthy.user, healthy.device_id]) {
      await field().fill(text ?? '');
      expect((await options()).join('\n')).toContain(healthy.serial_number);
    }
    await field().fill(healthy.serial_number ?? '');
    const [first = ''] = await options();
    expect(first).toMatch(/Installed, proven, last seen \d+ \w+ 2026, \d\d:\d\d CES?T\./);
  });

  it('folds accents, quotes and case', async () => {
    const row = (await rowsOfDevices()).find(({ device_name }) => device_name?.startsWith('Dario’s')) as Row;
    await field().fill(`DÁRIO's ${row.serial_number}`);
    expect(await options()).toHaveLength(1);
  });

  it('says why a device is not counted, and that one is not there', async () => {
    const row = (await rowsOfDevices()).find(({ excluded_because }) => excluded_because === 'unmanaged') as Row;
    await field().fill(row.serial_number ?? '');
    expect((await options()).join()).toMatch(
      /Not counted \(unmanaged\), last seen [^.]+\. The platform knows the device/,
    );
    await field().fill('C02NOSUCHONE');
    expect(await page.locator('#find .answer').innerText()).toMatch(
      /^No such device: none of the \d+ devices of the run/,
    );
    expect(await options()).toEqual([]);
  });

  it('opens the card of a device by keyboard, also of one about which there is nothing to say', async () => {
    const row = (await rowsOfDevices()).find(
      ({ proven, status }) => proven === 'true' && status === 'Installed',
    ) as Row;
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await field().fill(row.serial_number ?? '');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const card = page.locator('dialog[open]');
    expect(await card.innerText()).toContain(row.device_id);
    expect(await card.locator('.sentence').innerText()).toMatch(/^Installed, proven, last seen/);
    expect(page.url()).toContain(`#device=${row.source}/${row.device_id}`);
    await page.keyboard.press('Escape');
    await field().fill('');
  });
});

describe('a device’s card', () => {
  it('opens from its address, and holds everything known and the kept transitions', async () => {
    const change = (await rowsOf('changes', night)).find((row) => row.change === 'lost') as Row;
    const row = (await rowsOf('devices', night)).find((one) => one.device_id === change.device_id) as Row;
    await page.evaluate(`location.hash = 'device=${row.source}/${row.device_id}'`);
    const card = page.locator('dialog[open]');
    await card.waitFor();
    const text = await card.innerText();
    for (const key of [
      'device_name',
      'serial_number',
      'user',
      'model',
      'os_version',
      'status',
      'reason',
      'device_id',
      'source',
    ]) {
      expect(text).toContain(row[key]);
    }
    for (const key of ['value_at', 'last_seen_at', 'enrolled_at']) {
      expect(text).toContain(`${new Date(row[key] ?? '').toISOString().slice(0, 19).replace('T', ' ')} UTC`);
    }
    const { machine } = night.devices.find(({ facts }) => facts.id === row.device_id) ?? {};
    const { history = [] } = night.state.ledger.find(({ name }) => name === machine) ?? {};
    const steps = listTransitions(history).filter(({ to }) => to !== undefined);
    expect(await card.locator('ol').last().locator('li').count()).toBe(steps.length);
    expect(text).toContain(`${night.slot} Installed → Not Installed`);
    await card.getByRole('button', { name: 'Close' }).click();
  });

  it('says of a device that is gone what became of it, and of another that there is none', async () => {
    const gone = (await rowsOf('changes', night)).find((row) => row.change === 'removed') as Row;
    await page.evaluate(`location.hash = 'device=${gone.source}/${gone.device_id}'`);
    const sentence = page.locator('dialog[open] .sentence');
    expect(await sentence.innerText()).toBe(
      `It is no longer listed since the run of ${night.slot}. Its last status was ${gone.from_status}; serial number: ${gone.serial_number}.`,
    );
    await page.evaluate("location.hash = 'device=macs/never'");
    await expect
      .poll(() => sentence.innerText())
      .toMatch(/^No such device in the run of 2026-11-20: macs does not list it/);
    await page.keyboard.press('Escape');
  });
});

describe('an acknowledgement', () => {
  it('says on the card who knows of it, until when, and the ticket', async () => {
    const device = night.devices.find(({ judgement }) => judgement.counted && judgement.status === 'Not Installed');
    const known = { by: 'Ada <b>', until: '2026-12-24', ticket: 'SEC-17' };
    const devices = night.devices.map((one) =>
      one === device ? { ...one, judgement: { ...one.judgement, acknowledgement: known } } : one,
    );
    const other = await open({ ...night, devices });
    await other.page.evaluate(`location.hash = 'at=needs-action&needs-action.on=acknowledged'`);
    const rows = other.page.locator('[data-list=needs-action] tbody tr');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().click();
    expect(await other.page.locator('dialog[open] dl').innerText()).toContain('Ada <b>, until 2026-12-24, SEC-17');
  });
});

describe('from a row to the work', () => {
  it('has the next step, and a link into the console of a server whose address is one', async () => {
    const sources = night.sources.map((source) => ({
      ...source,
      deviceAddress:
        source.name === 'macs' ? 'https://jamf.example.com/computers.html?id={id}&o=r' : 'javascript:canary()//{id}',
    }));
    const other = await open({ ...night, sources });
    const rows = await rowsOf('not-installed', night);
    const card = other.page.locator('dialog[open]');
    const openFirstCard = async (source: string) => {
      const row = rows.find((one) => one.source === source) as Row;
      await other.page.evaluate(`location.hash = 'device=${row.source}/${row.device_id}'`);
      await card.waitFor();
      return row;
    };
    const mac = await openFirstCard('macs');
    expect(await card.locator('.next').first().innerText()).toMatch(/^Next step: \S/);
    const link = card.getByRole('link', { name: 'Open in Jamf Pro' });
    expect(await link.getAttribute('href')).toBe(`https://jamf.example.com/computers.html?id=${mac.device_id}&o=r`);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    // Another card opens also where the first one closes at the same moment.
    const { device_id: windowsId = '' } = rows.find((one) => one.source === 'windows') as Row;
    await other.page.evaluate(
      `document.querySelector('dialog').close(); location.hash = 'device=windows/${windowsId}'`,
    );
    await card.getByText(windowsId).first().waitFor();
    expect(await card.getByRole('link', { name: /^Open in/ }).count()).toBe(0);
  });
});

describe('a device that two platforms know', () => {
  it('says on its card that the other one contradicts it and what failed, and shows the other record', async () => {
    const machine = { serialNumber: 'C02TWOKINDS', operatingSystem: 'macos' };
    const answers = [{ value: '2', at: at(1), detail: 'error 1603' }];
    const contrary = judgeOnce({
      sources: [
        makeSource('macs', [makeMac('1', 'Installed', machine)]),
        makeSource('windows', [makePc('a', '2', { ...machine, answers, lastSeenAt: at(1) })]),
      ],
    });
    const other = await open(contrary);
    const card = other.page.locator('dialog[open]');
    await other.page.evaluate(`location.hash = 'device=windows/a'`);
    await card.getByText('The answer of another user, or of another platform, says the contrary.').waitFor();
    await card.getByText('Failed with error 1603. The installer itself failed').waitFor();
    await card.getByRole('link', { name: 'Show the other record' }).click();
    await card.getByText('windows / a').waitFor();
    expect(await card.getByText('Not proven').count()).toBe(0);
    expect(other.errors).toEqual([]);
  });
});

describe('a device that is not proven', () => {
  const findings = [makeFinding('fail')];
  const [, repaired] = judgeRuns(
    { sources: [makeSource('macs', [makeMac('1')], { findings }), makeSource('windows', [makePc('a')], { findings })] },
    { sources: [makeSource('macs', [makeMac('1'), makeMac('2', null)]), makeSource('windows', [makePc('a')])] },
  );
  const before = 'Not proven: Its answer is older than the last repair of the detection method. It was repaired on ';

  it.each([
    ['macs/1', `${before}2026-06-02. Its next answer ends this.`],
    [
      'windows/a',
      `${before}2026-06-02. Its next answer ends this. An unchanged answer is proof again after a contact on 2026-07-02 or later.`,
    ],
    ['macs/2', 'Not proven: Its platform has no answer about the agent. Its first answer ends this.'],
  ])('says on the card of %s why, what ends it, and when where that is known', async (device, why) => {
    const other = await open(repaired as Night);
    await other.page.evaluate(`location.hash = 'device=${device}'`);
    const card = other.page.locator('dialog[open]');
    await card.waitFor();
    expect(await card.locator('.next').first().innerText()).toBe(why);
    expect(await card.locator('.sentence').innerText()).toMatch(/not proven \((before-repair|no-answer)\)/);
    const word = device === 'macs/2' ? 'no-answer' : 'before-repair';
    await card.getByRole('link', { name: word, exact: true }).click();
    await expect.poll(() => other.page.locator(`#word-unproven-${word}`).isVisible()).toBe(true);
  });
});

describe('the console', () => {
  it('says nothing, and nobody was asked for anything', () => {
    expect([...visit.errors, ...visit.requests]).toEqual([]);
  });
});
