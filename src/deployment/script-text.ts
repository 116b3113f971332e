/** A script's text as a Unix file: what identifies it, and what `shasum -a 256` says of the file. */

/**
 * Line ends change on the way through web pages, so they and the number of line breaks at the end mean nothing. All else
 * does, also a byte-order mark: behind it a system no longer finds `#!`.
 */
export function toUnixText(script: string): string {
  return `${script.replaceAll('\r\n', '\n').replace(/\n+$/, '')}\n`;
}
