/**
 * `index.html`: one file that needs no other file. Its first part is plain HTML; the long lists are packed as data,
 * which the page's own script unpacks. Only that script and style can run: the policy in the first element of the head
 * names both by their hashes.
 */
import { createHash } from 'node:crypto';
import { type Html, html } from '../../base/html.ts';
import type { Night } from '../../core/facts/judged.ts';
import { showWord } from '../../core/text/shown-words.ts';
import { getReportDocument } from '../document/document.ts';
import { isDifferent } from '../document/groups.ts';
import type { ReportDocument } from '../document/report-document.ts';
import type { Report } from '../report.ts';
import { tables } from '../tables.ts';
import { script, style } from './assets.ts';
import { renderTrends } from './server/chart.ts';
import { renderDataQuality } from './server/data-quality.ts';
import { renderListSection } from './server/first-rows.ts';
import { renderOpen } from './server/first-step.ts';
import { renderSection } from './server/html.ts';
import { renderOverview } from './server/overview.ts';
import { type KindTexts, renderPageData } from './server/page-data.ts';
import { renderPrintPage } from './server/print-page.ts';
import { fillText, locale, toWordId } from './shared/format.ts';
import { glossary } from './shared/glossary.ts';
import { breakdownTexts, changeTexts, groupTexts, listTexts } from './shared/list-texts.ts';
import { pageTexts, sectionTitles, themeTexts } from './shared/texts.ts';

export function createPageReport(kinds: readonly KindTexts[]): Report {
  return { file: 'index.html', render: (night) => renderPage(night, kinds) };
}

async function* renderPage(night: Night, kinds: readonly KindTexts[]): AsyncGenerator<Buffer> {
  const document = getReportDocument(night);
  yield Buffer.from(`<!doctype html>\n<html lang="${locale.slice(0, 2)}">\n`);
  yield Buffer.from(renderHead(document).html);
  yield Buffer.from(renderBody(document, kinds).html);
  yield Buffer.from('<script type="application/gzip" id="data">');
  yield* renderPageData(night, kinds);
  yield Buffer.from(`</script>\n<script type="module">${script}</script>\n</body>\n</html>\n`);
}

function renderHead(document: ReportDocument): Html {
  const policy = [
    "default-src 'none'",
    `script-src '${computeCspHash(script)}'`,
    `style-src '${computeCspHash(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return html`<head>
<meta http-equiv="Content-Security-Policy" content="${{ html: policy.join('; ') }}">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${fillText(pageTexts.title, { agent: document.agent, slot: document.slot })}</title>
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
</head>
`;
}

export function computeCspHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

const linkedFiles = ['muster.xlsx', 'report.json', ...tables.map(({ name }) => `${name}.csv`), 'findings.ndjson'];

function renderBody(document: ReportDocument, kinds: readonly KindTexts[]): Html {
  const isShown: Readonly<Record<string, boolean>> = {
    unenrolled: document.lists?.expected !== undefined,
    groups: document.groups.some(isDifferent),
  };
  const shown = Object.entries(sectionTitles).filter(([id]) => isShown[id] ?? true);
  return html`<body>
<a class="hidden" href="#needs-action">${pageTexts.skip}</a>
<header class="top"><span class="brand">Muster</span><div id="find" role="search"></div><nav aria-label="${pageTexts.sections}">${shown.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}</nav></header>
<p id="trouble" class="verdict trouble" role="alert" hidden></p>
<main>
${renderOverview(document, kinds)}
${renderTrends(document)}
${renderPrintPage(document)}
<noscript><p class="verdict trouble">${pageTexts.noScript}</p></noscript>
${renderListSection(document, 'needs-action', listTexts.needsActionLead, true, renderOpen(document))}
${isShown.unenrolled ? renderListSection(document, 'unenrolled', listTexts.unenrolledLead, true) : ''}
${renderListSection(document, 'breakdown', breakdownTexts.lead, true)}
${renderListSection(document, 'changes', changeTexts.lead, true)}
${isShown.groups ? renderListSection(document, 'groups', groupTexts.lead) : ''}
${renderListSection(document, 'all-devices', listTexts.allDevicesLead)}
${renderDataQuality(document)}
${renderGlossary()}
</main>
<footer><p>${fillText(pageTexts.made, { version: document.muster, slot: document.slot })}</p><p>${pageTexts.files} ${linkedFiles.map((file) => html`<a href="${file}" data-file="${file}">${file}</a> `)}</p><p><label class="theme">${themeTexts.label} <select id="theme"><option value="light dark">${themeTexts.system}</option><option value="light">${themeTexts.light}</option><option value="dark">${themeTexts.dark}</option></select></label></p></footer>
<dialog id="card" aria-labelledby="card-title"></dialog>
`;
}

/** The glossary: every term of the reports, to which the page links wherever it uses them. */
function renderGlossary(): Html {
  const groups = html`<div class="glossary">${glossary.map(
    ({ group, name, words: meanings }) =>
      html`<div><h3 id="glossary-${group}">${name}</h3><dl>${Object.entries(meanings).map(
        ([one, { meaning }]) =>
          html`<div id="${toWordId(group, one)}"><dt>${showWord(one)}${showWord(one) === one ? '' : html` <span class="quiet">${fillText(pageTexts.inFiles, { word: one })}</span>`}</dt><dd>${meaning}</dd></div>`,
      )}</dl></div>`,
  )}</div>`;
  return renderSection('glossary', sectionTitles.glossary, groups);
}
