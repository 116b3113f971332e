/** The computer inventory, versions 1 to 4: sections, sort, filter, pages, and the faults of a walk. */
import { removeFirstDevice, replaceFirstDevice } from '../../devices/advance-devices.ts';
import type { Mac } from '../../devices/model.ts';
import { drawFraction, purpose } from '../../devices/random.ts';
import { doubleRows } from '../double-rows.ts';
import type { OwnFaults } from '../faults.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readBearerToken, toWholeNumber } from '../request.ts';
import { type PlatformResponse, Refusal, respondJson } from '../response.ts';
import { refuseSlowPage, transientErrors } from '../transient-errors.ts';
import { type SectionName, sectionNames, toComputerBody } from './computer-body.ts';
import { createAttributeReader } from './extension-attributes.ts';
import { respondApiError, respondUnauthorized } from './jamf-errors.ts';
import { cutPage, type Fields, readPageSize, selectRows } from './paging.ts';

const fields: Fields<Mac> = { id: ({ id }) => id, 'general.name': ({ name }) => name };

export function respondInventory(
  context: PlatformContext,
  request: PlatformRequest,
  version: string,
): PlatformResponse {
  const { faults } = context;
  const { query } = request;
  const sections = readRequestedSections(query);
  const page = toWholeNumber(query.get('page'), 0);
  if (page > 0 && faults.inject('jamf', 'drifting-pages') !== undefined) {
    replaceFirstDevice(context.devices(), 'macs');
  }
  // Deletes one Mac during every walk, like a job on the server.
  if (page === 1 && faults.inject('jamf', 'clean-up') !== undefined) {
    removeFirstDevice(context.devices(), 'macs');
  }
  const all = doubleRows(faults, 'jamf', listVisibleMacs(context, request));
  const size = readPageSize(context, query);
  if ((page > 0 || all.length <= size) && faults.inject('jamf', 'token-expired') !== undefined) {
    context.tokens.jamf.revokeAll();
    return respondUnauthorized();
  }
  const selected = selectRows(query, all, fields, 'general.name:asc');
  const rows = cutPage(context, query, selected);
  refuseSlowPage(faults, 'jamf', rows.length);
  const computers = {
    devices: context.devices(),
    version: Number(version),
    sections,
    attributes: createAttributeReader(context),
  };
  const results = hideMacs(context, all, rows, size).map((mac) => toComputerBody(computers, mac));
  const response = respondJson(200, { totalCount: selected.length, results });
  // A page of ids alone renders little of a record.
  return sections.has('GENERAL') ? breakRecords(context, rows, response) : response;
}

type RecordFault = Extract<OwnFaults['jamf'], `record-${string}`>;

/** Responses in place of the page. */
const breakPage: Readonly<Record<RecordFault, (page: PlatformResponse) => PlatformResponse>> = {
  'record-500': () => respondApiError(500, 'INTERNAL_SERVER_ERROR', 'An unexpected error occurred'),
  'record-502': () => transientErrors.jamf.respondServerError(502),
  'record-html': () => ({ ...transientErrors.jamf.respondServerError(503), status: 200 }),
  'record-cut': (page) => ({ ...page, body: String(page.body).slice(0, page.body.length / 2) }),
  'record-endless': (page) => ({ ...page, wire: 'endless' }),
};
const recordFaults = Object.keys(breakPage) as readonly RecordFault[];

/**
 * Records that the server cannot render: a page with one of them fails. The number of a fault is that of Macs with such
 * a record, always the same ones.
 */
function breakRecords(context: PlatformContext, rows: readonly Mac[], page: PlatformResponse): PlatformResponse {
  const { faults } = context;
  const name = recordFaults.find((candidate) => faults.isActive('jamf', candidate));
  if (name === undefined) {
    return page;
  }
  const { seed, macs } = context.devices();
  const draw = ({ ordinal }: Mac) => drawFraction(seed, ordinal, purpose.record);
  const drawn = macs.toSorted((one, other) => draw(one) - draw(other));
  const broken = drawn.slice(0, faults.find('jamf', name)?.number ?? 1);
  const isHit = rows.some((mac) => broken.includes(mac));
  return isHit && faults.inject('jamf', name) !== undefined ? breakPage[name](page) : page;
}

function hideMacs(context: PlatformContext, all: readonly Mac[], page: readonly Mac[], size: number): readonly Mac[] {
  if (!context.faults.isActive('jamf', 'rows-hidden')) {
    return page;
  }
  // One of a few Macs, or one in forty of many.
  const hidden = new Set(all.filter((_, index) => (all.length < 30 ? index === all.length - 2 : index % 40 === 13)));
  const last = all.at(-1);
  // Counts the fault as injected once a walk has reached the last Mac; a request for the newest Mac alone is no walk.
  if (size > 1 && last !== undefined && page.includes(last)) {
    context.faults.inject('jamf', 'rows-hidden');
  }
  return page.filter((mac) => !hidden.has(mac));
}

/** The Macs that the account may see: all, or those of its site. */
export function listVisibleMacs(context: PlatformContext, request: PlatformRequest): readonly Mac[] {
  const { macs } = context.devices();
  const isSiteScoped = context.jamfOptions.site && context.tokens.jamf.find(readBearerToken(request)) === 'account';
  return isSiteScoped ? macs.filter((mac) => mac.site === 'headquarters') : macs;
}

function readRequestedSections(query: URLSearchParams): ReadonlySet<SectionName> {
  // The server's framework also accepts names with commas between them, and public scripts use that form.
  const requested = query.getAll('section').flatMap((names) => names.split(','));
  const known = sectionNames.filter((name) => requested.includes(name));
  if (known.length < new Set(requested).size) {
    throw new Refusal(respondApiError(400, 'INVALID_FIELD', 'Unknown section', 'section'));
  }
  return new Set(known.length === 0 ? ['GENERAL'] : known);
}
