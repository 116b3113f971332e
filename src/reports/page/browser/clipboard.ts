/** Rows as text: on the clipboard, or as a file. */
import { formatCell } from '../../cell.ts';
import { createElement } from './dom.ts';

export function toCsv(lines: readonly (readonly string[])[]): string {
  return lines.map((values) => values.map((value) => quoteCsvValue(formatCell(value))).join(',')).join('\n');
}

/** As spreadsheets take cells from the clipboard; no value holds a tab or a line break. */
export function toTabSeparated(lines: readonly (readonly string[])[]): string {
  return lines.map((values) => values.map(formatCell).join('\t')).join('\n');
}

export function downloadText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  createElement('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function quoteCsvValue(value: string): string {
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page over plain HTTP has no clipboard; the older command works there.
    const box = createElement('textarea', { class: 'hidden', 'aria-hidden': 'true' });
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand('copy');
    box.remove();
    return done;
  }
}
