/**
 * Alerts about the lists of machines: a list that is not sound, and listed machines that are enrolled nowhere. The
 * notice of a list's first sound run counts its machines. A list that is not sound opens and ends nothing.
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type ListName, listNames } from '../facts/lists.ts';
import { readListSerial } from '../lists/list-rows.ts';
import type { AlertInput } from './alert-input.ts';
import type { FiringAlert, RuleVerdict } from './alert-rule.ts';
import { endWith } from './reconcile.ts';

/** Reports a list that is not sound once, and again when its soundness changes. */
export function decideListSoundness({ lists }: AlertInput): RuleVerdict {
  const firing = listNames.flatMap((name): FiringAlert[] => {
    const { soundness, problem } = lists[name] ?? {};
    const details = { text: problem?.message ?? '', subject: `lists.${name}` };
    return problem === undefined ? [] : [{ key: toListKey(name), kind: 'list.unsound', about: soundness, details }];
  });
  return { prefix: 'list:', firing, isUnknown: () => false };
}

export function toListKey(name: ListName): string {
  return `list:${name}`;
}

/** The figure of a run that is present only where the list was judged. */
const listFigure = { expected: 'enrolledNowhere', reporting: 'silent' } as const;

/** Says whether a list is judged in this run, says nothing in it, or is missing from the settings. */
export function readListStanding(name: ListName, { lists, total }: AlertInput): 'judged' | 'silent' | 'removed' {
  if (total[listFigure[name]] !== undefined) {
    return 'judged';
  }
  return lists[name] === undefined ? 'removed' : 'silent';
}

export function isFirstListRun(name: ListName, { previous }: AlertInput): boolean {
  const figure = listFigure[name];
  const wasJudged = previous?.history.some(({ coverage }) => coverage.at(-1)?.[figure] !== undefined) ?? false;
  return previous?.lists?.[name] === undefined || !wasJudged;
}

export function describeRemovedList(name: ListName): string {
  return `The settings name no lists.${name} any more.`;
}

const prefix = 'unenrolled:';

export function decideUnenrolledAlerts(input: AlertInput): RuleVerdict {
  const { lists, sources } = input;
  const standing = readListStanding('expected', input);
  const { unenrolled = [] } = standing === 'judged' ? (lists.expected ?? {}) : {};
  const isCounted = isFirstListRun('expected', input) || undefined;
  // Computed only when an alert ends, which is rare.
  let enrolled: ReadonlySet<string | undefined> | undefined;
  return {
    prefix,
    firing: unenrolled.map(({ serialNumber, owner, site, file }): FiringAlert => {
      const text = [serialNumber, owner, site, file].filter((word) => word !== undefined).join(', ');
      const key = `${prefix}${readListSerial({ serialNumber })}`;
      return { key, kind: 'machine.unenrolled', isCounted, details: { text, ...omitUndefined({ site }) } };
    }),
    isUnknown: () => standing === 'silent',
    describeEnd: (alert) => {
      if (standing === 'removed') {
        return endWith(alert, describeRemovedList('expected'));
      }
      const serial = alert.key.slice(prefix.length);
      enrolled ??= new Set(sources.flatMap(({ devices }) => devices.map(({ facts }) => readListSerial(facts))));
      return endWith(alert, `${serial} is ${enrolled.has(serial) ? 'enrolled now' : 'no longer expected'}.`);
    },
  };
}
