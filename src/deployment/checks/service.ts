/** The service's two downloads: section 4. What was read of them is judged here; reading them is a source's work. */
import type { DownloadFacts, Finding } from '../../core/facts.ts';
import { fail, pass, type Unread, unknown } from '../finding.ts';

export type Downloaded =
  | { readonly is: 'read'; readonly facts: DownloadFacts }
  /** Not read again: the service says that it is what it was. */
  | { readonly is: 'unchanged'; readonly facts: DownloadFacts }
  | { readonly is: 'refused'; readonly why: string }
  | Unread;

export function checkDownload(
  name: 'package' | 'bundle',
  downloaded: Downloaded,
  remembered: DownloadFacts | undefined,
): Finding {
  const check = `service.${name}` as const;
  const advice = 'Put the file of the vendor back on the service; devices install whatever is there.';
  switch (downloaded.is) {
    case 'unread':
      return unknown(check, downloaded);
    case 'refused':
      return fail(check, downloaded.why, 'Check deployment.service, and that the service serves its downloads.');
    default: {
      const { bytes, sha256, problem } = downloaded.facts;
      const changed = remembered !== undefined && remembered.sha256 !== sha256;
      const words = [
        problem ?? 'what it should be',
        `${bytes} bytes, SHA-256 ${sha256}`,
        ...(changed ? [`changed: before, it was ${remembered.bytes} bytes, SHA-256 ${remembered.sha256}`] : []),
      ].join('; ');
      return problem === undefined ? pass(check, words) : fail(check, words, advice);
    }
  }
}
