/** A script's text as a Unix file, which identifies it: its SHA-256 is the one that `shasum -a 256` prints. */

/**
 * Web pages change line ends, so line ends and the number of line breaks at the end are ignored. Everything else counts,
 * even a byte-order mark, after which a system does not find `#!`.
 */
export function toUnixText(script: string): string {
  return `${script.replaceAll('\r\n', '\n').replace(/\n+$/, '')}\n`;
}
