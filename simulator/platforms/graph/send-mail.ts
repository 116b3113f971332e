/** sendMail: one application may send from one mailbox, as with roles of Exchange Online. */
import { company } from '../company.ts';
import type { PlatformContext } from '../platform-context.ts';
import { type PlatformRequest, readJsonBody } from '../request.ts';
import type { PlatformResponse } from '../response.ts';
import type { TokenHolder } from '../secrets.ts';
import { respondBadRequest, respondGraphError } from './graph-errors.ts';

export function respondMail(
  { mails }: PlatformContext,
  request: PlatformRequest,
  from: string,
  holder: TokenHolder,
): PlatformResponse {
  if (holder !== 'mail' || from !== company.mailbox) {
    return respondGraphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.');
  }
  const { message, saveToSentItems = true } = readJsonBody(request);
  if (typeof message !== 'object' || message === null || !('toRecipients' in message)) {
    return respondBadRequest('The value of the parameter Message is empty.');
  }
  mails.push({ from, message: { ...message }, isKept: saveToSentItems === true });
  return { status: 202, headers: {}, body: '' };
}
