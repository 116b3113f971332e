/** Rows as CSV on the clipboard. */
import { cell } from '../../cell.ts';
import { element } from './dom.ts';

export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((values) => values.map((value) => quoted(cell(value))).join(',')).join('\n');
}

function quoted(value: string): string {
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Plain http has no clipboard; the old way still works there.
    const box = element('textarea', { class: 'hidden', 'aria-hidden': 'true' });
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand('copy');
    box.remove();
    return done;
  }
}
