/** Rows as CSV on the clipboard. */
import { formatCell } from '../../cell.ts';
import { createElement } from './dom.ts';

export function toCsv(lines: readonly (readonly string[])[]): string {
  return lines.map((values) => values.map((value) => quoteCsvValue(formatCell(value))).join(',')).join('\n');
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
