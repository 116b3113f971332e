/** Checks the two smart groups: docs/coverage.md, section 1.3. A group without criteria contains every computer. */
import type { Status } from '../../../core/facts/vocabulary.ts';
import type { Check } from '../check.ts';
import {
  collectProblems,
  fail,
  judgeOne,
  type LookupResult,
  passOrFail,
  quoteText,
  type Verdict,
} from '../verdicts.ts';
import type { JamfReading, SiteReference, SmartGroupFacts } from './reading.ts';

export const smartGroupInstalled = createSmartGroupCheck('installed', 'Installed', 'installedGroup');
export const smartGroupNotInstalled = createSmartGroupCheck('not-installed', 'Not Installed', 'notInstalledGroup');

function createSmartGroupCheck(
  name: string,
  holds: Status,
  key: 'installedGroup' | 'notInstalledGroup',
): Check<JamfReading> {
  return {
    id: `macos.smart-group-${name}`,
    expected: `one smart group of that name with the one criterion: attribute is "${holds}"`,
    blindSpot: 'when the server last computed who is in it',
    group: 'smart groups',
    judge: ({ [key]: found, ...reading }) => judgeSmartGroup(holds, reading, found),
  };
}

/** Facts from which the expected criteria follow. */
export type GroupCriteria = Pick<JamfReading, 'attributeName' | 'site'>;

export function judgeSmartGroup(
  holds: Status,
  { attributeName: attribute, site }: GroupCriteria,
  found: LookupResult<SmartGroupFacts> | undefined,
): Verdict {
  const advice = `Give the group exactly one criterion: ${quoteText(attribute)} is "${holds}".`;
  return judgeOne(found, 'smart group', 'Create it, or put its display name in the settings.', (group) => {
    if (!group.smart) {
      return fail('a static group', 'Make it a smart group, or name another in the settings.');
    }
    if (group.site !== undefined && site === '') {
      return fail(`it belongs to ${nameSite(group.site)}, so it holds Macs of that site alone`, siteAdvice);
    }
    const [first, ...others] = group.criteria;
    if (first === undefined) {
      return fail('no criterion: it holds every managed computer', advice);
    }
    if (others.length > 0) {
      return fail(`${group.criteria.length} criteria`, advice);
    }
    const problems = collectProblems([
      [first.name !== attribute, `its criterion is about ${quoteText(first.name)}`],
      [first.searchType !== 'is', `its operator is ${quoteText(first.searchType)}`],
      [first.value !== holds, `its value is ${quoteText(first.value)}`],
    ]);
    return passOrFail(problems, 'its one criterion is as documented', advice);
  });
}

const siteAdvice = 'Set its site to None, or name a group that belongs to no site in the settings.';

function nameSite({ id, name }: SiteReference): string {
  return name === undefined ? `the site with the id ${id}` : `the site ${quoteText(name)}`;
}
