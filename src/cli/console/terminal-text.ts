/** Cleans everything that a command prints for people. */
import { toReadableText } from '../../core/text/visible-text.ts';

/** Removes controls, and characters that reverse or hide the text around them, line by line, whatever their origin. */
export function toTerminalText(text: string): string {
  return text.split('\n').map(toReadableText).join('\n');
}
