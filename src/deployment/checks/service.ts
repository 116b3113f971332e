/** Checks the service's two downloads by their first bytes: docs/coverage.md, section 4. */

import type { Finding } from '../../core/facts.ts';
import { pluralize } from '../../core/pluralize.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { fail, pass, quoteText, type ReadFailure, reportNotChecked, reportUnknown } from '../finding.ts';
import { findBundleProblem, findPackageProblem } from './file-format.ts';

export type Download =
  | { readonly is: 'found'; readonly file: DownloadedFile }
  | { readonly is: 'refused'; readonly why: string }
  | ReadFailure;

export interface DownloadedFile {
  /** In bytes; undefined where the service does not send it. */
  readonly length: number | undefined;
  /** The service's identifier of this version. */
  readonly etag: string | undefined;
  readonly firstBytes: Buffer;
}

const problemFinders = { package: findPackageProblem, bundle: findBundleProblem };
const serviceAdvice = 'Check deployment.service, and that the service serves its downloads.';

export function checkDownload(settings: DeploymentSettings, name: 'package' | 'bundle', download: Download): Finding {
  const check = `service.${name}` as const;
  if (settings.service === undefined) {
    return reportNotChecked(check, 'deployment.service');
  }
  if (download.is === 'unread') {
    return reportUnknown(check, download);
  }
  if (download.is === 'refused') {
    return fail(check, download.why, serviceAdvice);
  }
  const { length, etag, firstBytes } = download.file;
  if (length === undefined) {
    return reportUnknown(check, { why: 'the service does not say how long the file is', advice: serviceAdvice });
  }
  const problem = length === 0 ? 'it is empty' : problemFinders[name](firstBytes, length);
  const version = etag === undefined ? 'no ETag' : `ETag ${quoteText(etag.replaceAll('"', ''))}`;
  const found = `${problem ?? 'as expected'}; ${length} ${pluralize(length, 'byte')}, ${version}`;
  const advice = "Put the vendor's file back on the service; devices install whatever it serves.";
  return problem === undefined ? pass(check, found) : fail(check, found, advice);
}
