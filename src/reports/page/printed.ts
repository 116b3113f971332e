/** The second printed page: whom to chase first, why, and what did not pass. Shown on paper only. */

import { toChase } from '../../core/needs-action.ts';
import type { DeviceReport, ReportDocument } from '../document/shape.ts';
import { type Html, html, outside } from './html.ts';
import { columns, fill, number, platformTitle, sentences, sound, print as texts } from './texts.ts';

const shownOnPaper = 22;

export function printed(document: ReportDocument): Html {
  const chase = toChase(document.devices, ({ id }) => id);
  const shown = chase.slice(0, shownOnPaper);
  const troubles = document.sources.flatMap(({ name, findings }) =>
    findings.filter(({ result }) => result === 'fail' || result === 'unknown').map((finding) => ({ name, ...finding })),
  );
  const heads = [
    columns.notInstalledSince,
    columns.name,
    columns.serialNumber,
    columns.user,
    columns.platform,
    columns.reason,
  ];
  return html`<section class="paper"><h2>${texts.chase}</h2>
<table><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>${shown.map(
    (device) =>
      html`<tr><td class="figure">${device.notInstalledSince}</td><td>${short(device.name)}</td><td class="figure">${short(device.serialNumber)}</td><td>${short(device.user)}</td><td>${platformTitle(document.platformTitles, device.platform)}</td><td>${device.reason}</td></tr>`,
  )}</tbody></table>
${chase.length > shown.length ? html`<p class="quiet">${fill(texts.more, { shown: number(shown.length), all: number(chase.length) })}</p>` : ''}
<div class="halves"><div><h3>${texts.reasons}</h3><table>${reasonsOf(chase).map(([reason, count]) => html`<tr><td>${reason}</td><td class="figure">${number(count)}</td></tr>`)}</table></div>
<div><h3>${texts.troubles}</h3>${troubles.length === 0 ? html`<p>${texts.noTroubles}</p>` : html`<ul>${troubles.slice(0, 8).map((trouble) => html`<li>${outside(trouble.name)}: ${outside(trouble.check)} (${trouble.result}). ${sound.found}: ${short(trouble.found, 160)}</li>`)}</ul>`}</div></div>
<ul class="sentences">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`;
}

function short(text: string | undefined, length = 40): Html {
  if (text === undefined || text.length <= length) return outside(text);
  return outside(`${Array.from(text.slice(0, length)).slice(0, -1).join('')}…`);
}

function reasonsOf(devices: readonly DeviceReport[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { reason } of devices) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}
