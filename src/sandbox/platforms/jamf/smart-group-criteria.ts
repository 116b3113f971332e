/** Evaluates a smart group's criteria against the computers, as the server does when a computer reports. */
import { computeMacReportTime, millisecondsPerDay } from '../../devices/contact-times.ts';
import type { Mac, SimulatedDevices } from '../../devices/model.ts';
import type { PlatformContext } from '../platform-context.ts';
import { drawMacModel, drawMacVersion } from './computer-body.ts';
import { listAttributeDefinitions, readAttributeValues } from './extension-attributes.ts';
import type { Criterion } from './jamf-objects.ts';

/** The value a criterion looks at; undefined where no such thing exists, which selects nobody. */
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
  value: boolean | undefined;
  readonly or: boolean;
}

/** A group without criteria holds every managed computer; no group ever holds an unmanaged one. */
export function createGroupPredicate(context: PlatformContext, criteria: readonly Criterion[]): MacPredicate {
  const devices = context.devices();
  const present = context.now();
  const tests = [...criteria]
    .sort((one, other) => one.priority - other.priority)
    .map((criterion) => {
      const look = findCriterionReader(context, devices, criterion.name);
      const test: MacPredicate = (mac) =>
        look !== undefined && matchesCriterion(criterion.searchType, look(mac), criterion.value, present);
      return { test, criterion };
    });
  return (mac) => mac.managed && evaluateCriteria(tests, mac);
}

function findCriterionReader(
  context: PlatformContext,
  devices: SimulatedDevices,
  name: string,
): CriterionReader | undefined {
  const own = builtInFields[name];
  if (own !== undefined) {
    return (mac) => own(devices, mac);
  }
  const definition = listAttributeDefinitions(context).find((candidate) => candidate.name === name);
  return definition === undefined
    ? undefined
    : (mac) => (readAttributeValues(context, mac, definition) ?? []).join(', ');
}

function matchesCriterion(searchType: string, actual: string, wanted: string, present: number): boolean {
  const days = (present - Date.parse(actual)) / millisecondsPerDay;
  switch (searchType) {
    case 'is':
      return actual === wanted;
    case 'is not':
      return actual !== wanted;
    case 'like':
      return actual.toLowerCase().includes(wanted.toLowerCase());
    case 'not like':
      return !actual.toLowerCase().includes(wanted.toLowerCase());
    case 'matches regex':
      return new RegExp(wanted).test(actual);
    case 'does not match regex':
      return !new RegExp(wanted).test(actual);
    case 'more than x days ago':
      return days > Number(wanted);
    case 'less than x days ago':
      return days < Number(wanted);
    default:
      return false;
  }
}

/** From left to right without precedence, brackets first. */
function evaluateCriteria(tests: readonly { test: MacPredicate; criterion: Criterion }[], mac: Mac): boolean {
  let frame: BracketLevel = { value: undefined, or: false };
  const outer: BracketLevel[] = [];
  const close = () => {
    const parent = outer.pop();
    if (parent !== undefined) {
      combineResults(parent, frame.value ?? true, frame.or);
      frame = parent;
    }
  };
  for (const { test, criterion } of tests) {
    const or = criterion.andOr.toLowerCase() === 'or';
    if (criterion.openingParen) {
      outer.push(frame);
      frame = { value: undefined, or };
    }
    combineResults(frame, test(mac), or);
    if (criterion.closingParen) {
      close();
    }
  }
  while (outer.length > 0) {
    close();
  }
  return frame.value ?? true;
}

function combineResults(frame: BracketLevel, value: boolean, or: boolean): void {
  frame.value = frame.value === undefined ? value : or ? frame.value || value : frame.value && value;
}
