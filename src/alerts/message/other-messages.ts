/** Messages that belong to no published run: about a failed run, and for a test of the channels. */
import { toMusterError } from '../../base/errors.ts';
import { sections } from '../../core/facts/event-kinds.ts';
import type { AlertMessage, Digest, DigestSection } from './digest.ts';
import { type DigestEventKind, determineSeverity } from './digest-event.ts';
import { toSafeText } from './safe-text.ts';

export function buildFailureMessage(
  { agent, slot, commit }: Pick<Digest, 'agent' | 'slot' | 'commit'>,
  error: unknown,
): AlertMessage {
  const { code, message } = toMusterError(error, 'The run');
  // An unexpected error may contain anything, so that only the log has its text.
  const text = `${code === 'unexpected' ? 'An unexpected error; see the log.' : toSafeText(message, 600)} [${code}]`;
  const title = `The run of ${slot} failed; nothing is published for it`;
  return buildMessage(
    { about: 'failure', agent, slot, commit, title },
    sections.failed,
    ['run.failed', `run:${slot}`],
    text,
  );
}

/** The message of `muster alerts test`, which says that it is a test. */
export function buildTestMessage(agent: string, slot: string): AlertMessage {
  const text = 'This is a test of Muster’s alerts. Nothing happened, and nothing needs to be done.';
  const section = { title: 'A test', ask: 'Nothing to do.' };
  const title = 'A test: this channel works';
  return buildMessage({ about: 'test', agent, slot, commit: 0, title }, section, ['test', 'test'], text);
}

function buildMessage(
  { about, agent, slot, commit, title }: Pick<Digest, 'about' | 'agent' | 'slot' | 'commit' | 'title'>,
  section: Pick<DigestSection, 'title' | 'ask'>,
  [kind, key]: readonly [DigestEventKind, string],
  text: string,
): AlertMessage {
  const phase = 'first';
  return {
    digest: {
      about,
      agent: toSafeText(agent, 60),
      slot,
      commit,
      kinds: [kind],
      severity: determineSeverity(kind, phase),
      further: 0,
      title,
      sections: [{ ...section, count: 1, lines: [text], more: 0 }],
    },
    events: [{ kind, key, phase, slot, since: slot, opened: 0, text }],
  };
}
