/** Checks the service's two downloads by their first bytes: docs/coverage.md, section 4. */
import { pluralize } from '../../core/text/pluralize.ts';
import type { Check } from './check.ts';
import { findBundleProblem, findPackageProblem } from './file-format.ts';
import type { ReadFailure } from './lookup.ts';
import { fail, pass, quoteText, reportNotChecked, reportUnknown, reportUnread } from './verdicts.ts';

export interface DownloadsReading {
  readonly package: Download;
  readonly bundle: Download;
}

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

export const packageCheck = createDownloadCheck(
  'package',
  'the service serves fhfs.pkg, a macOS installer archive',
  findPackageProblem,
);

export const bundleCheck = createDownloadCheck(
  'bundle',
  'the service serves bundle.dat, a gzip tar archive',
  findBundleProblem,
);

function createDownloadCheck(
  name: keyof DownloadsReading,
  expected: string,
  findProblem: (firstBytes: Buffer, length: number) => string | undefined,
): Check<DownloadsReading> {
  const serviceAdvice = 'Check deployment.service, and that the service serves its downloads.';
  return {
    id: `service.${name}`,
    expected,
    blindSpot: 'whether it is the vendor’s file, and whether it is whole behind its first 256 KiB',
    settings: ['deployment.service'],
    judge({ [name]: download }, { settings }) {
      if (settings.service === undefined) {
        return reportNotChecked('deployment.service');
      }
      if (download.is === 'unread') {
        return reportUnread(download);
      }
      if (download.is === 'refused') {
        return fail(download.why, serviceAdvice);
      }
      const { length, etag, firstBytes } = download.file;
      if (length === undefined) {
        return reportUnknown('the service does not say how long the file is', serviceAdvice);
      }
      const problem = length === 0 ? 'it is empty' : findProblem(firstBytes, length);
      const version = etag === undefined ? 'no ETag' : `ETag ${quoteText(etag.replaceAll('"', ''))}`;
      const found = `${problem ?? 'as expected'}; ${length} ${pluralize(length, 'byte')}, ${version}`;
      const advice = "Put the vendor's file back on the service; devices install whatever it serves.";
      return problem === undefined ? pass(found) : fail(found, advice);
    },
  };
}
