/** The service's two downloads: section 4. Their first bytes say whether they are what they should be. */

import type { Finding } from '../../core/facts.ts';
import { pluralize } from '../../core/pluralize.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { fail, pass, quoteText, type ReadFailure, reportNotChecked, reportUnknown } from '../finding.ts';
import { bundleProblem, packageProblem } from './file-format.ts';

export type Download =
  | { readonly is: 'found'; readonly file: DownloadedFile }
  | { readonly is: 'refused'; readonly why: string }
  | ReadFailure;

export interface DownloadedFile {
  /** In bytes; undefined where the service does not say. */
  readonly length: number | undefined;
  /** What the service calls this version. */
  readonly etag: string | undefined;
  readonly firstBytes: Buffer;
}

const problemsOf = { package: packageProblem, bundle: bundleProblem };
const serve = 'Check deployment.service, and that the service serves its downloads.';

export function checkDownload(asked: DeploymentSettings, name: 'package' | 'bundle', download: Download): Finding {
  const check = `service.${name}` as const;
  if (asked.service === undefined) {
    return reportNotChecked(check, 'deployment.service');
  }
  if (download.is === 'unread') {
    return reportUnknown(check, download);
  }
  if (download.is === 'refused') {
    return fail(check, download.why, serve);
  }
  const { length, etag, firstBytes } = download.file;
  if (length === undefined) {
    return reportUnknown(check, { why: 'the service does not say how long the file is', advice: serve });
  }
  const problem = length === 0 ? 'it is empty' : problemsOf[name](firstBytes, length);
  const version = etag === undefined ? 'no ETag' : `ETag ${quoteText(etag.replaceAll('"', ''))}`;
  const found = `${problem ?? 'what it should be'}; ${length} ${pluralize(length, 'byte')}, ${version}`;
  const advice = 'Put the file of the vendor back on the service; devices install whatever is there.';
  return problem === undefined ? pass(check, found) : fail(check, found, advice);
}
