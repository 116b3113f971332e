/** An exception is said on the page: a reader must not take a list that was never filled for an empty one. */
import { fillText, pageTexts } from '../texts.ts';
import { requireElement } from './dom.ts';

export function mountTroubleNotice(): void {
  addEventListener('error', ({ error, message }) => showTrouble(error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => showTrouble(reason));
}

export function showTrouble(reason: unknown): void {
  const notice = requireElement('#trouble');
  const message = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  notice.textContent = fillText(pageTexts.trouble, { message });
  notice.hidden = false;
}
