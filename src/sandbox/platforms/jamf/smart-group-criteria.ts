/** Evaluates a smart group's criteria against the computers, as the server does when a computer reports. */
import { day, macReportedAt } from '../../devices/contact-times.ts';
import type { Fleet, Mac } from '../../devices/model.ts';
import type { World } from '../platform-context.ts';
import { macModel, macSystem } from './computer-body.ts';
import { definitions, valuesOf } from './extension-attributes.ts';
import type { Criterion } from './jamf-objects.ts';

/** The value a criterion looks at; undefined where no such thing exists, which selects nobody. */
type Look = (mac: Mac) => string;

const builtIn: Readonly<Record<string, (fleet: Fleet, mac: Mac) => string>> = {
  'Computer Name': (_, mac) => mac.name ?? '',
  'Serial Number': (_, mac) => mac.serial ?? '',
  Model: macModel,
  'Operating System Version': macSystem,
  'Last Inventory Update': (fleet, mac) => new Date(macReportedAt(fleet, mac) ?? 0).toISOString(),
};

function lookAt(world: World, fleet: Fleet, name: string): Look | undefined {
  const own = builtIn[name];
  if (own !== undefined) {
    return (mac) => own(fleet, mac);
  }
  const definition = definitions(world).find((candidate) => candidate.name === name);
  return definition === undefined ? undefined : (mac) => (valuesOf(world, mac, definition) ?? []).join(', ');
}

function holds(searchType: string, actual: string, wanted: string, present: number): boolean {
  const days = (present - Date.parse(actual)) / day;
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

type Test = (mac: Mac) => boolean;

interface Frame {
  value: boolean | undefined;
  readonly or: boolean;
}

function join(frame: Frame, value: boolean, or: boolean): void {
  frame.value = frame.value === undefined ? value : or ? frame.value || value : frame.value && value;
}

/** From left to right without precedence, brackets first. */
function evaluate(tests: readonly { test: Test; criterion: Criterion }[], mac: Mac): boolean {
  let frame: Frame = { value: undefined, or: false };
  const outer: Frame[] = [];
  const close = () => {
    const parent = outer.pop();
    if (parent !== undefined) {
      join(parent, frame.value ?? true, frame.or);
      frame = parent;
    }
  };
  for (const { test, criterion } of tests) {
    const or = criterion.andOr.toLowerCase() === 'or';
    if (criterion.openingParen) {
      outer.push(frame);
      frame = { value: undefined, or };
    }
    join(frame, test(mac), or);
    if (criterion.closingParen) {
      close();
    }
  }
  while (outer.length > 0) {
    close();
  }
  return frame.value ?? true;
}

/** A group without criteria holds every managed computer; no group ever holds an unmanaged one. */
export function selects(world: World, criteria: readonly Criterion[]): Test {
  const fleet = world.fleet();
  const present = world.present();
  const tests = [...criteria]
    .sort((one, other) => one.priority - other.priority)
    .map((criterion) => {
      const look = lookAt(world, fleet, criterion.name);
      const test: Test = (mac) =>
        look !== undefined && holds(criterion.searchType, look(mac), criterion.value, present);
      return { test, criterion };
    });
  return (mac) => mac.managed && evaluate(tests, mac);
}
