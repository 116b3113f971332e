/** Evaluates a smart group's criteria against the computers, as the server does when a computer reports. */
import { computeMacReportTime, millisecondsPerDay } from '../../devices/contact-times.ts';
import type { Mac, SimulatedDevices } from '../../devices/model.ts';
import type { PlatformContext } from '../platform-context.ts';
import { drawMacModel, drawMacVersion } from './computer-body.ts';
import { listAttributeDefinitions, readAttributeValues } from './extension-attributes.ts';
import type { Criterion } from './jamf-objects.ts';

/** Reads the value that a criterion compares. */
type CriterionReader = (mac: Mac) => string;

const builtInFields: Readonly<Record<string, (devices: SimulatedDevices, mac: Mac) => string>> = {
  'Computer Name': (_, mac) => mac.name ?? '',
  'Serial Number': (_, mac) => mac.serialNumber ?? '',
  Model: drawMacModel,
  'Operating System Version': drawMacVersion,
  'Last Inventory Update': (devices, mac) => new Date(computeMacReportTime(devices, mac) ?? 0).toISOString(),
};

type MacPredicate = (mac: Mac) => boolean;

interface BracketLevel {
  /** Undefined before its first criterion. */
  value: boolean | undefined;
  /** How it is joined to the level around it. */
  readonly or: boolean;
}

/** A group without criteria has every managed computer; no group ever has an unmanaged one. */
export function createGroupPredicate(context: PlatformContext, criteria: readonly Criterion[]): MacPredicate {
  const devices = context.devices();
  const now = context.now();
  const tests = [...criteria]
    .sort((one, other) => one.priority - other.priority)
    .map((criterion) => {
      const read = findCriterionReader(context, devices, criterion.name);
      const test: MacPredicate = (mac) =>
        read !== undefined && searchTypes[criterion.searchType]?.(read(mac), criterion.value, now) === true;
      return { test, criterion };
    });
  return (mac) => mac.managed && evaluateCriteria(tests, mac);
}

/** Undefined where the server has no such field, so that the group has no members. */
function findCriterionReader(
  context: PlatformContext,
  devices: SimulatedDevices,
  name: string,
): CriterionReader | undefined {
  const read = builtInFields[name];
  if (read !== undefined) {
    return (mac) => read(devices, mac);
  }
  const definition = listAttributeDefinitions(context).find((candidate) => candidate.name === name);
  return definition === undefined
    ? undefined
    : (mac) => (readAttributeValues(context, mac, definition) ?? []).join(', ');
}

/** The ways to compare that the server knows; by any other a group has no members. */
const searchTypes: Readonly<Record<string, (actual: string, wanted: string, now: number) => boolean>> = {
  is: (actual, wanted) => actual === wanted,
  'is not': (actual, wanted) => actual !== wanted,
  like: includesText,
  'not like': (actual, wanted) => !includesText(actual, wanted),
  'matches regex': (actual, wanted) => new RegExp(wanted).test(actual),
  'does not match regex': (actual, wanted) => !new RegExp(wanted).test(actual),
  'more than x days ago': (actual, wanted, now) => countDays(actual, now) > Number(wanted),
  'less than x days ago': (actual, wanted, now) => countDays(actual, now) < Number(wanted),
};

function includesText(actual: string, wanted: string): boolean {
  return actual.toLowerCase().includes(wanted.toLowerCase());
}

function countDays(date: string, now: number): number {
  return (now - Date.parse(date)) / millisecondsPerDay;
}

/** From left to right without precedence; brackets first. */
function evaluateCriteria(tests: readonly { test: MacPredicate; criterion: Criterion }[], mac: Mac): boolean {
  let level: BracketLevel = { value: undefined, or: false };
  const outer: BracketLevel[] = [];
  const closeBracket = () => {
    const parent = outer.pop();
    if (parent !== undefined) {
      addResult(parent, level.value ?? true, level.or);
      level = parent;
    }
  };
  for (const { test, criterion } of tests) {
    const or = criterion.andOr.toLowerCase() === 'or';
    if (criterion.openingParen) {
      outer.push(level);
      level = { value: undefined, or };
    }
    addResult(level, test(mac), or);
    if (criterion.closingParen) {
      closeBracket();
    }
  }
  while (outer.length > 0) {
    closeBracket();
  }
  return level.value ?? true;
}

function addResult(level: BracketLevel, value: boolean, or: boolean): void {
  level.value = level.value === undefined ? value : or ? level.value || value : level.value && value;
}
