/** Writes log lines: one JSON object a line, with fixed event names and data. Never a secret, never a device's raw text. */

export type Log = (level: 'info' | 'warn' | 'error', event: string, data?: Readonly<Record<string, unknown>>) => void;

/** Characters that `JSON.stringify` leaves raw, and at which some viewers break lines or change direction. */
const unsafeCharacters = /[\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function createJsonLog(write: (line: string) => void, now: () => Date): Log {
  return (level, event, data) => {
    write(`${escapeUnsafeCharacters(JSON.stringify({ time: now().toISOString(), level, event, ...data }))}\n`);
  };
}

export function escapeUnsafeCharacters(text: string): string {
  return text.replace(unsafeCharacters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
