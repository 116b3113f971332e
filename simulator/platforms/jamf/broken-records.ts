/** Records that the server cannot render: a page that has one of them fails, while pages of ids alone come. */
import type { Mac } from '../../devices/model.ts';
import { drawFraction, purpose } from '../../devices/random.ts';
import type { OwnFaults } from '../faults.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { PlatformResponse } from '../response.ts';
import { transientErrors } from '../transient-errors.ts';
import { respondApiError } from './jamf-errors.ts';

type RecordFault = Extract<OwnFaults['jamf'], `record-${string}`>;

/** What comes instead of the page. */
const breakPage: Readonly<Record<RecordFault, (page: PlatformResponse) => PlatformResponse>> = {
  'record-500': () => respondApiError(500, 'INTERNAL_SERVER_ERROR', 'An unexpected error occurred'),
  'record-502': () => transientErrors.jamf.respondServerError(502),
  'record-html': () => ({ ...transientErrors.jamf.respondServerError(503), status: 200 }),
  'record-cut': (page) => ({ ...page, body: String(page.body).slice(0, page.body.length / 2) }),
  'record-endless': (page) => ({ ...page, wire: 'endless' }),
};
const recordFaults = Object.keys(breakPage) as readonly RecordFault[];

/** The number of a fault is how many Macs have such a record: always the same ones. */
export function breakRecords(context: PlatformContext, rows: readonly Mac[], page: PlatformResponse): PlatformResponse {
  const { seed, macs } = context.devices();
  const draw = ({ ordinal }: Mac) => drawFraction(seed, ordinal, purpose.record);
  for (const name of recordFaults) {
    const count = context.faults.find('jamf', name)?.number ?? 1;
    const broken = macs.toSorted((one, other) => draw(one) - draw(other)).slice(0, count);
    const isHit = rows.some((mac) => broken.includes(mac));
    if (isHit && context.faults.inject('jamf', name) !== undefined) {
      return breakPage[name](page);
    }
  }
  return page;
}
