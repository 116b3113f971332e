import { openViewer } from './reports/browser.ts';

const viewer = await openViewer();
for (const [name, width, height] of [
  ['1440', 1440, 800],
  ['1024', 1024, 800],
  ['390', 390, 844],
] as const) {
  const visit = await viewer.visit('/tmp/lpdemo/muster-demo/latest/index.html', { viewport: { width, height } });
  await visit.page.waitForSelector('html[data-ready=true]');
  await visit.page.screenshot({ path: `/tmp/lpdemo/first-${name}.png` });
  await visit.page.click('#lists a[data-rows=unenrolled]');
  await visit.page.waitForTimeout(300);
  await visit.page.screenshot({ path: `/tmp/lpdemo/unenrolled-${name}.png` });
  await visit.page.click('#lists a[data-rows*=silent]');
  await visit.page.waitForTimeout(300);
  await visit.page.screenshot({ path: `/tmp/lpdemo/silent-${name}.png` });
  await visit.page.locator('#all-devices tbody a.device, #all-devices tbody tr').first().click();
  await visit.page.waitForTimeout(300);
  await visit.page.screenshot({ path: `/tmp/lpdemo/card-${name}.png` });
  await visit.page.keyboard.press('Escape');
  await visit.page.locator('#trend').scrollIntoViewIfNeeded();
  await visit.page.locator('#trend').screenshot({ path: `/tmp/lpdemo/trend-${name}.png` });
  console.log(name, visit.errors, visit.requests);
  await visit.close();
}
await viewer.close();
