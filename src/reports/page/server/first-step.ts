/** What to do first for the fleet, in one sentence: the step that helps most of the devices that need action. */

import { type Html, html } from '../../../base/html.ts';
import { reasons } from '../../../core/facts/vocabulary.ts';
import { isOverdue } from '../../../core/machine/needs-action.ts';
import { countDaysBetween } from '../../../core/time/calendar.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import { selectDevices } from '../shared/device-lists.ts';
import { fillText, formatNumber, formatPercent } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { findNextStep } from '../shared/next-steps.ts';
import { overviewTexts as texts } from '../shared/texts.ts';
import { fillWithHtml, renderIsolatedText, renderRowsLink } from './html.ts';
import type { KindTexts } from './page-data.ts';

export function countOverdue({ devices, policy, slot }: ReportDocument): number {
  const missing = selectDevices('needs-action', devices);
  return missing.filter(({ notInstalledSince }) => isOverdue(notInstalledSince, slot, policy)).length;
}

/** An instrument that fails comes before every device: until it is right, nobody knows what they have. */
export function renderFirstStep(document: ReportDocument, kinds: readonly KindTexts[]): Html | undefined {
  const step = describeBrokenInstrument(document) ?? describeCommonStep(document, kinds);
  return step && html`<p class="first"><b>${texts.doFirst}</b> ${step}</p>`;
}

function describeBrokenInstrument({ sources }: ReportDocument): Html | undefined {
  const [first] = sources.flatMap(({ name, findings }) =>
    findings.flatMap(({ result, instrument, advice }) =>
      result === 'fail' && instrument && advice !== '' ? [{ name, advice }] : [],
    ),
  );
  return first && html`${renderIsolatedText(first.name)}: ${renderIsolatedText(first.advice)}`;
}

function describeCommonStep(document: ReportDocument, kinds: readonly KindTexts[]): Html | undefined {
  const missing = selectDevices('needs-action', document.devices);
  const alike = Map.groupBy(missing, ({ source, platform, reason }) =>
    toRows('needs-action', { source, platform, reason }),
  );
  const [rows = '', devices = []] = [...alike].sort(([, left], [, right]) => right.length - left.length)[0] ?? [];
  const [device] = devices;
  const kind = document.sources.find(({ name }) => name === device?.source)?.kind;
  const steps = kinds.find((known) => known.kind === kind)?.nextSteps;
  if (device === undefined || steps === undefined) {
    return undefined;
  }
  const { source, platform, reason } = device;
  const step = findNextStep({ reason, platform }, steps, undefined);
  const values = {
    count: renderRowsLink(rows, devices.length, 'first-step-count'),
    all: html`${formatNumber(missing.length)}`,
    source: renderIsolatedText(source),
    why: html`${reasons[reason].inMessages}`,
    points: html`${formatPercent((devices.length / (document.coverage.at(-1)?.counted ?? 1)) * 100)}`,
    step: html`${step}`,
  };
  return step === undefined ? undefined : fillWithHtml(texts.firstStep, values);
}

/** How long they have been open, as far back as there are records. */
export function renderOpen({ openFor, trend, slot }: ReportDocument): Html {
  const recorded = countDaysBetween(trend[0]?.nights[0]?.slot ?? slot, slot) + 1;
  const known = openFor.filter(({ days, devices }) => devices > 0 || days <= recorded);
  const parts = known.map(
    ({ days, devices }) =>
      html`<span class="part">${fillText(texts.openFor, { days })} <a href="#needs-action" data-rows="needs-action.since=${days}"><b id="open-${days}">${formatNumber(devices)}</b></a></span> `,
  );
  return known.length === 0 ? html`` : html`<p class="open">${texts.open} ${parts}</p>`;
}
