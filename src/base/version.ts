/** Muster's version, and where its defects are reported, as its package says. */
import manifest from '../../package.json' with { type: 'json' };

/** `bugs` is filled in before a release. */
const { version: written, bugs }: { readonly version: string; readonly bugs?: { readonly url: string } } = manifest;

export const version = written;

/** The sentence about an error that should not happen: it promises no report where the package names no address for one. */
export const defectSentence = describeDefect(bugs?.url);

export function describeDefect(address: string | undefined): string {
  return `This is a defect in Muster${address === undefined ? '' : `: please report it at ${address}`}.`;
}
