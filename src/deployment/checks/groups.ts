/** Checks the two smart groups: docs/coverage.md, section 1.3. A group without criteria contains every computer. */
import type { Finding, Status } from '../../core/facts.ts';
import type { CheckId } from '../catalogue.ts';
import { fail, judgeOne, type LookupResult, passOrFail, quoteText } from '../finding.ts';

export interface Criterion {
  readonly name: string;
  readonly searchType: string;
  readonly value: string;
}

export interface SmartGroupFacts {
  readonly smart: boolean;
  readonly criteria: readonly Criterion[];
}

function toGroupCheckId(holds: Status): CheckId {
  return holds === 'Installed' ? 'macos.smart-group-installed' : 'macos.smart-group-not-installed';
}

export function checkGroup(holds: Status, attribute: string, found: LookupResult<SmartGroupFacts>): Finding {
  const check = toGroupCheckId(holds);
  const advice = `Give the group exactly one criterion: ${quoteText(attribute)} is "${holds}".`;
  return judgeOne(check, found, 'smart group', 'Create it, or put its display name in the settings.', (group) => {
    if (!group.smart) {
      return fail(check, 'a static group', 'Make it a smart group, or name another in the settings.');
    }
    const [first, ...others] = group.criteria;
    if (first === undefined) {
      return fail(check, 'no criterion: it holds every managed computer', advice);
    }
    if (others.length > 0) {
      return fail(check, `${group.criteria.length} criteria`, advice);
    }
    return passOrFail(
      check,
      findCriterionProblems(first, attribute, holds),
      'its one criterion is as documented',
      advice,
    );
  });
}

function findCriterionProblems({ name, searchType, value }: Criterion, attribute: string, holds: Status): string[] {
  const problems: string[] = [];
  if (name !== attribute) {
    problems.push(`its criterion is about ${quoteText(name)}`);
  }
  if (searchType !== 'is') {
    problems.push(`its operator is ${quoteText(searchType)}`);
  }
  if (value !== holds) {
    problems.push(`its value is ${quoteText(value)}`);
  }
  return problems;
}
