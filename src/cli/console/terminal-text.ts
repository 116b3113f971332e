/** Text on its way to a terminal: everything that a command prints for people passes here. */
import { toReadableText } from '../../core/text/visible-text.ts';

/** Line by line, without controls and without characters that reverse or hide the text around them, whoever wrote it. */
export function toTerminalText(text: string): string {
  return text.split('\n').map(toReadableText).join('\n');
}
