/** Renders the first thing to do for the fleet, in one sentence: the step that helps most devices that need action. */

import { type Html, html } from '../../../base/html.ts';
import { reasons } from '../../../core/facts/vocabulary.ts';
import { isOverdue } from '../../../core/machine/needs-action.ts';
import { splitFirstSentence } from '../../../core/text/first-sentence.ts';
import { countDaysBetween } from '../../../core/time/calendar.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { SourceReport } from '../../document/sources.ts';
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

/** A source that is not sound comes before every device: until it is, nobody knows what they have. */
export function renderFirstStep(document: ReportDocument, kinds: readonly KindTexts[]): Html | undefined {
  const steps = document.sources.flatMap(describeSourceStep);
  const said = steps.length === 0 ? [describeCommonStep(document, kinds)] : steps;
  const [first] = said;
  return first && html`${said.map((step) => html`<p>${step}</p> `)}`;
}

/** The verdict says the first sentence of the problem; the others say what to do. */
function describeSourceStep({ name, problem, findings }: SourceReport): Html[] {
  const [, advice = ''] = splitFirstSentence(problem?.message ?? '');
  const failed = findings.find(({ result, instrument, advice: own }) => result === 'fail' && instrument && own !== '');
  const step = advice === '' ? failed?.advice : advice;
  return step === undefined ? [] : [html`${renderIsolatedText(name)}: ${renderIsolatedText(step)}`];
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

/** How long the devices have been open, as far back as records go. */
export function renderOpen({ openFor, trend, slot }: ReportDocument): Html {
  const recorded = countDaysBetween(trend[0]?.nights[0]?.slot ?? slot, slot) + 1;
  const known = openFor.filter(({ days, devices }) => devices > 0 || days <= recorded);
  const parts = known.map(
    ({ days, devices }) =>
      html`<span class="part">${fillText(texts.openFor, { days })} <a href="#needs-action" data-rows="needs-action.since=${days}"><b id="open-${days}">${formatNumber(devices)}</b></a></span> `,
  );
  return known.length === 0 ? html`` : html`<p class="open">${texts.open} ${parts}</p>`;
}
