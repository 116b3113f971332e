/** Muster's version, and the address for reporting its defects, from its package. */
import manifest from '../../package.json' with { type: 'json' };

/** The address in `bugs`, which is filled in before a release. */
const { version: written, bugs }: { readonly version: string; readonly bugs?: { readonly url: string } } = manifest;

export const version = written;

/** The sentence about an unexpected error, which asks for a report only if the package has an address for it. */
export const defectSentence = describeDefect(bugs?.url);

export function describeDefect(address: string | undefined): string {
  return `This is a defect in Muster${address === undefined ? '' : `: please report it at ${address}`}.`;
}
