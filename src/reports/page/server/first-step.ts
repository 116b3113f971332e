/** What to do first for the fleet, in one sentence: the step that helps most of the devices that need action. */
import { isOverdue } from '../../../core/device/needs-action.ts';
import { reasons } from '../../../core/facts/vocabulary.ts';
import type { ReportedDevice } from '../../document/devices.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import { selectDevices } from '../shared/device-lists.ts';
import { formatNumber, formatPercent } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { findNextStep } from '../shared/next-steps.ts';
import { overviewTexts } from '../shared/texts.ts';
import { fillWithHtml, type Html, html, renderIsolatedText, renderRowsLink } from './html.ts';
import type { KindTexts } from './page-data.ts';

export function countOverdue({ devices, policy, slot }: ReportDocument): number {
  const missing = selectDevices('needs-action', devices);
  return missing.filter(({ notInstalledSince }) => isOverdue(notInstalledSince, slot, policy)).length;
}

/** An instrument that fails comes before every device: until it is right, nobody knows what they have. */
export function renderFirstStep(document: ReportDocument, kinds: readonly KindTexts[]): Html | undefined {
  const broken = document.sources.flatMap(({ name, findings }) =>
    findings.flatMap(({ result, instrument, advice }) =>
      result === 'fail' && instrument && advice !== '' ? [{ name, advice }] : [],
    ),
  );
  const [first] = broken;
  if (first !== undefined) {
    const step = html`${renderIsolatedText(first.name)}: ${renderIsolatedText(first.advice)}`;
    return html`<p class="first"><b>${overviewTexts.doFirst}</b> ${step}</p>`;
  }
  const missing = selectDevices('needs-action', document.devices);
  const alike = Map.groupBy(missing, ({ source, platform, reason }) =>
    toRows('needs-action', { source, platform, reason }),
  );
  const [rows = '', devices = []] = [...alike].sort(([, left], [, right]) => right.length - left.length)[0] ?? [];
  const [device] = devices;
  const step = device && findStep(device, document, kinds);
  if (device === undefined || step === undefined) {
    return undefined;
  }
  const values = {
    count: renderRowsLink(rows, formatNumber(devices.length), 'first-step-count'),
    all: html`${formatNumber(missing.length)}`,
    source: renderIsolatedText(device.source),
    why: html`${reasons[device.reason].inMessages}`,
    points: html`${formatPercent((devices.length / (document.coverage.at(-1)?.counted ?? 1)) * 100)}`,
    step: html`${step}`,
  };
  const sentence = fillWithHtml(overviewTexts.firstStep, values);
  return html`<p class="first"><b>${overviewTexts.doFirst}</b> ${sentence}</p>`;
}

function findStep(
  { source, platform, reason }: ReportedDevice,
  { sources }: ReportDocument,
  kinds: readonly KindTexts[],
): string | undefined {
  const kind = sources.find(({ name }) => name === source)?.kind;
  const steps = kinds.find((known) => known.kind === kind)?.nextSteps;
  return steps && findNextStep({ reason, platform }, steps, undefined);
}
