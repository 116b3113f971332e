/** `muster alerts test`: something that looks like a message, and says that it is none. */
import type { News } from './digest.ts';
import { plain } from './safe-text.ts';

export function testNews(agent: string, slot: string): News {
  const text = 'This is a test of Muster’s alerts. Nothing happened, and nothing needs to be done.';
  const section = { title: 'A test', ask: 'Nothing to do.', count: 1, lines: [text], more: 0 };
  return {
    digest: {
      ...{ about: 'test', agent: plain(agent, 60), slot, kinds: ['test'], severity: 'info', further: 0 },
      ...{ title: 'A test: this channel works', sections: [section] },
    },
    events: [{ kind: 'test', key: 'test', phase: 'first', slot, since: slot, text }],
  };
}
