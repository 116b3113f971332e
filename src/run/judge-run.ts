/** Judges a run's facts against the state of the run before: first machines, then what happened to runs. Pure. */
import type { Facts } from '../core/facts/facts.ts';
import type { Night } from '../core/facts/judged.ts';
import type { RulesTable } from '../core/facts/rules.ts';
import type { State } from '../core/facts/state.ts';
import { judge } from '../core/judge.ts';
import { judgeOperations } from './operations/judge-operations.ts';

export function judgeRun(facts: Facts, previous: State | undefined, rules: RulesTable): Night {
  return judgeOperations(judge(facts, facts, previous, rules), facts, previous);
}
