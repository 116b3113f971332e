/** The two smart groups: section 1.3, steps 3 and 4. A group without criteria holds every computer. */
import type { Finding, Status } from '../../core/facts.ts';
import type { Check } from '../catalogue.ts';
import { type Found, fail, judgeOne, quoted, verdict } from '../finding.ts';

export interface Criterion {
  readonly name: string;
  readonly searchType: string;
  readonly value: string;
}

export interface SmartGroupFacts {
  readonly smart: boolean;
  readonly criteria: readonly Criterion[];
}

function groupCheck(holds: Status): Check {
  return holds === 'Installed' ? 'macos.smart-group-installed' : 'macos.smart-group-not-installed';
}

export function checkGroup(holds: Status, attribute: string, found: Found<SmartGroupFacts>): Finding {
  const check = groupCheck(holds);
  const advice = `Give the group exactly one criterion: ${quoted(attribute)} is "${holds}".`;
  return judgeOne(check, found, 'smart group', 'Create it, or put its display name in the settings.', (group) => {
    if (!group.smart) return fail(check, 'a static group', 'Make it a smart group, or name another in the settings.');
    const [first, ...others] = group.criteria;
    if (first === undefined) return fail(check, 'no criterion: it holds every managed computer', advice);
    if (others.length > 0) return fail(check, `${group.criteria.length} criteria`, advice);
    return verdict(check, problemsOf(first, attribute, holds), 'its one criterion is as documented', advice);
  });
}

function problemsOf({ name, searchType, value }: Criterion, attribute: string, holds: Status): string[] {
  const problems: string[] = [];
  if (name !== attribute) problems.push(`its criterion is about ${quoted(name)}`);
  if (searchType !== 'is') problems.push(`its operator is ${quoted(searchType)}`);
  if (value !== holds) problems.push(`its value is ${quoted(value)}`);
  return problems;
}
