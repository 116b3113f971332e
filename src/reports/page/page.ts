/**
 * `index.html`: one file that needs nothing else. What is read first is in the page as it stands; the long lists travel
 * packed and are unfolded by the page's own script. Nothing but that script and style can run: the policy in the first
 * element of the head names both by their hashes.
 */
import { createHash } from 'node:crypto';
import type { Night } from '../../core/judged.ts';
import { documentOf } from '../document/document.ts';
import type { ReportDocument } from '../document/shape.ts';
import { buffered, type Report } from '../report.ts';
import { script, style } from './assets.ts';
import { list, soundness, words } from './data-quality.ts';
import { type Html, html } from './html.ts';
import { overview } from './overview.ts';
import { packed, pageDataOf } from './pack.ts';
import { printed } from './printed.ts';
import { changes, fill, groups, lists, locale, naming, themes } from './texts.ts';
import { trends } from './trends.ts';

export const pageReport: Report = {
  file: 'index.html',
  render: (night) => buffered(pageOf(night)),
};

function* pageOf(night: Night): Generator<string> {
  const document = documentOf(night);
  yield `<!doctype html>\n<html lang="${locale.slice(0, 2)}">\n`;
  yield head(document).html;
  yield body(document).html;
  yield `<script type="application/gzip" id="data">${packed(pageDataOf(document, night))}</script>\n`;
  yield `<script type="module">${script}</script>\n</body>\n</html>\n`;
}

function head(document: ReportDocument): Html {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
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
<title>${fill(naming.title, { agent: document.agent, slot: document.slot })}</title>
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
</head>
`;
}

export function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

const sections = ['overview', 'trend', 'chase', 'silent', 'changes', 'groups', 'sound', 'words'] as const;
const files = ['muster.xlsx', 'report.json'] as const;

function body(document: ReportDocument): Html {
  const days = document.policy.staleAfterDays;
  return html`<body>
<a class="skip" href="#chase">${naming.skip}</a>
<header class="top"><span class="brand">Muster</span><nav aria-label="${naming.sections}">${sections.map((section) => html`<a href="#${section}">${naming[section]}</a>`)}</nav>
<label class="theme">${themes.label} <select id="theme"><option value="">${themes.system}</option><option value="light">${themes.light}</option><option value="dark">${themes.dark}</option></select></label></header>
<main>
${overview(document)}
${trends(document)}
${printed(document)}
<noscript><p class="verdict trouble">${naming.noScript}</p></noscript>
${list('chase', lists.chase, lists.chaseLead)}
${list('silent', lists.silent, fill(lists.silentLead, { days }))}
${list('changes', changes.title, changes.lead)}
${list('groups', groups.title, groups.lead)}
${soundness(document)}
${words()}
</main>
<footer><p>${fill(naming.made, { version: document.muster, slot: document.slot })}</p><p>${naming.files} ${files.map((file) => html`<a href="${file}">${file}</a> `)}</p></footer>
<dialog id="card" aria-labelledby="card-title"></dialog>
`;
}
