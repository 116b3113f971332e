/** The text of a file that people keep, in any encoding in which spreadsheets save one. */

/** A file whose table cannot be read as a whole; the message says why, beginning with "it" or with a line. */
export class UnreadableTable extends Error {}

/** Its bytes are no text. */
export class UnreadableText extends UnreadableTable {}

/** UTF-8, UTF-16 in both orders of bytes, or Windows-1252; without the mark at the beginning. */
export function decodeText(body: Buffer): string {
  const utf16 = findUtf16(body);
  try {
    return new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(body);
  } catch {
    if (utf16 !== undefined) {
      throw new UnreadableText('it is cut off within a character');
    }
    return decodeWindows1252(body);
  }
}

/** The byte order by the mark; without one, every second byte of a header in Latin letters is zero. */
function findUtf16([first, second]: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) {
    return 'utf-16le';
  }
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? 'utf-16be' : undefined;
}

/**
 * Nearly any bytes are text in it. Those that are UTF-8 with a broken character are refused: as Windows-1252, every name
 * in them would be another one, which matches nobody.
 */
function decodeWindows1252(body: Buffer): string {
  const replaced = new TextDecoder('utf-8').decode(body);
  const isBrokenUtf8 = count(replaced, /[\u0080-\ufffc]/g) >= count(replaced, /\ufffd/g);
  const text = new TextDecoder('windows-1252').decode(body);
  if (isBrokenUtf8 || /[^\P{Cc}\t\r\n]/u.test(text)) {
    throw new UnreadableText('it is no text in UTF-8, UTF-16 or Windows-1252; save it as UTF-8');
  }
  return text;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
