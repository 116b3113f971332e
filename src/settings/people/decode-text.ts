/** Decodes a file that people keep, in any encoding in which spreadsheets save one. */

/** A file whose table cannot be read as a whole; the message begins with "it" or with a line. */
export class UnreadableTable extends Error {}

/** A file whose bytes are not text. */
export class UnreadableText extends UnreadableTable {}

/** Decodes UTF-8, UTF-16 in both byte orders, or Windows-1252, without the byte-order mark. */
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

/** The byte order by the mark; without one, by the zero in every second byte of a header in Latin letters. */
function findUtf16([first, second]: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) {
    return 'utf-16le';
  }
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? 'utf-16be' : undefined;
}

/**
 * Decodes Windows-1252, in which nearly any bytes are text. Refuses UTF-8 with a broken character, whose names would
 * all be read wrongly and match nothing.
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
