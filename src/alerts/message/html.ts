/**
 * Renders a digest as HTML for mail readers, with inline styles, fetching nothing. Text and background keep the
 * reader's colours, light or dark. Outlook for Windows has no largest width, and padding only in table cells. Pure.
 */
import { type Html, html } from '../../base/html.ts';
import type { Severity } from '../../core/facts/event-kinds.ts';
import { type Digest, type DigestSection, formatHeading } from './digest.ts';
import { isWebAddress, type LinkedText } from './digest-lines.ts';
import { formatSubject, listFurtherTexts, listSectionTexts } from './plain-text.ts';

/** Colours that are visible on white and on black. */
const severityColors: Readonly<Record<Severity, string>> = { error: '#d93a3a', warning: '#c27803', info: '#6b7f93' };

const quiet = 'opacity:0.75';
const linkStyle = 'color:inherit;text-decoration:underline;text-underline-offset:2px';
const buttonStyle = 'padding:7px 14px;border:1px solid #8a8f98;border-radius:6px';

/** Repeated in every table, since Outlook's tables do not inherit it. */
const font = html`font:15px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** A table of one cell for layout, which screen readers ignore. */
function renderCell(style: string, content: Html): Html {
  return html`<table role="presentation" cellspacing="0"><tr><td style="${style};${font}">
${content}
</td></tr></table>`;
}

const outlookStart = html`<!--[if mso]><table role="presentation" width="640" align="center"><tr><td><![endif]-->`;
const outlookEnd = html`<!--[if mso]></td></tr></table><![endif]-->`;

export function renderHtml(digest: Digest): string {
  const { about, title, figures, sections, link, severity } = digest;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${formatSubject(digest)}</title>
</head>
<body style="margin:0;padding:0">
${outlookStart}
<div style="max-width:640px;margin:0 auto;padding:24px 20px 32px;${font};overflow-wrap:anywhere">
${renderCell(
  `border-left:4px solid ${severityColors[severity]};padding:0 0 0 14px`,
  html`<p style="margin:0 0 4px;font-size:13px;${quiet}">${formatHeading(digest)}</p>
<h1 style="margin:0;font-size:21px;line-height:1.3;font-weight:600">${title}</h1>`,
)}
${figures === undefined ? undefined : html`<p style="margin:16px 0 0">${renderText(figures)}</p>`}
${renderReportLink(link)}
${sections.map((section) => renderSection(section, link))}
${listFurtherTexts(digest).map((text) => html`<p style="margin:28px 0 0">${renderLinkedText(text)}</p>`)}
<p style="margin:32px 0 0;padding:12px 0 0;border-top:1px solid #8a8f98;font-size:13px;${quiet}">${about === 'test' ? 'Sent by Muster.' : `Sent by Muster for the run of ${digest.slot}.`}</p>
</div>
${outlookEnd}
</body>
</html>
`.html;
}

/** Adds a sentence at the end of the document. */
export function appendToHtml(document: string, note: string): string {
  // Text of devices is escaped and cannot contain a tag.
  const end = document.lastIndexOf('</div>');
  const paragraph = html`<p style="margin:12px 0 0;font-size:13px">${note}</p>\n`.html;
  return `${document.slice(0, end)}${paragraph}${document.slice(end)}`;
}

function renderSection(section: DigestSection, report: string | undefined): Html {
  const { title, ask } = section;
  const items = listSectionTexts(section, report).map(
    (text) => html`<li style="margin:0 0 4px">${renderLinkedText(text)}</li>\n`,
  );
  return html`<h2 style="margin:28px 0 0;font-size:16px;line-height:1.4;font-weight:700">${title}</h2>
<p style="margin:2px 0 0;${quiet}">${ask}</p>
${items.length === 0 ? undefined : html`<ul style="margin:8px 0 0;padding:0 0 0 20px">\n${items}</ul>\n`}`;
}

/** Isolates the name, so that its writing direction does not change the text after it. */
function renderLinkedText({ name, rest, link }: LinkedText): Html {
  const start = link === '' ? undefined : html`<a href="${link}" style="${linkStyle}"><bdi>${name}</bdi></a>`;
  return html`${start}${renderText(rest)}`;
}

/** Keeps a date on one line. */
function renderText(text: string): Html[] {
  return text
    .split(/(\b\d{4}-\d{2}-\d{2}\b)/)
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<span style="white-space:nowrap">${part}</span>`));
}

function renderReportLink(link: string | undefined): Html | undefined {
  if (link === undefined) {
    return undefined;
  }
  return isWebAddress(link)
    ? html`<div style="margin:16px 0 0">${renderCell(buttonStyle, html`<a href="${link}" style="color:inherit;text-decoration:none">Open the whole report</a>`)}</div>`
    : html`<p style="margin:16px 0 0">The whole report: <span style="font-family:monospace;font-size:13px">${link}</span></p>`;
}
