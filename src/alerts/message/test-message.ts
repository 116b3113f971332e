/** `muster alerts test`: a message that says that it is a test. */
import type { AlertMessage } from './digest.ts';
import { toSafeText } from './safe-text.ts';

export function buildTestMessage(agent: string, slot: string): AlertMessage {
  const text = 'This is a test of Muster’s alerts. Nothing happened, and nothing needs to be done.';
  const section = { title: 'A test', ask: 'Nothing to do.', count: 1, lines: [text], more: 0 };
  return {
    digest: {
      about: 'test',
      agent: toSafeText(agent, 60),
      slot,
      kinds: ['test'],
      severity: 'info',
      further: 0,
      title: 'A test: this channel works',
      sections: [section],
    },
    events: [{ kind: 'test', key: 'test', phase: 'first', slot, since: slot, text }],
  };
}
