/** Events of a run by one rule of alerts, or by its notices. */
import type { AlertInput } from '../../src/core/alerts/alert-input.ts';
import type { Notice, RuleVerdict } from '../../src/core/alerts/alert-rule.ts';
import { reconcileAlerts } from '../../src/core/alerts/reconcile.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { JudgedSource } from '../../src/core/facts/judged.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import { makeFacts, slot } from './make-facts.ts';

type Rule = (input: AlertInput) => RuleVerdict | readonly Notice[];
type Run = Partial<Omit<AlertInput, 'facts' | 'sources'>> & {
  readonly facts?: Partial<Facts>;
  readonly sources?: readonly object[];
};

/** `states` are open before the run. */
export function decide(rule: Rule, run: Run, states: readonly AlertState[] = [], number = 20) {
  const open = new Map(states.map((state) => [state.key, state]));
  const maps = { machinesByName: new Map(), entries: new Map(), gone: new Map() };
  const all = { sources: [], machines: [], canaries: new Set(), open, ...maps, ...run };
  const input = { ...all, facts: { ...makeFacts(number), ...run.facts } } as unknown as AlertInput;
  const decided = rule(input);
  const verdicts = 'prefix' in decided ? { rules: [decided], notices: [] } : { rules: [], notices: decided };
  const before = { slot: slot(number), number, open: states, noticed: [], reminded: undefined };
  const after = reconcileAlerts(verdicts, before);
  return { events: after.events, open: after.open.map(({ key }) => key) };
}

export const say = ({ phase, kind, text }: AlertEvent) => `${phase} ${kind}: ${text}`;
export const listTexts = (...decided: Parameters<typeof decide>) => decide(...decided).events.map(say);

export const sound = (name: string, soundness: JudgedSource['soundness'] = 'complete') => ({
  source: { name, soundness },
});
