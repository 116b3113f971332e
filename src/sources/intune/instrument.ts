/** What produces the states: the apps, their detection rules and their assignments. */
import type { ErrorCode, MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { computeSha256 } from '../../base/sha256.ts';
import type { Instrument } from '../../core/facts/facts.ts';
import type { AppsReading } from '../../deployment/checks/intune/reading.ts';
import { toReadFailure } from '../../deployment/checks/verdicts.ts';
import { canonicalJson } from '../../deployment/windows-places.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import type { AppDefinition } from './apps.ts';

const appPermission = 'DeviceManagementApps.Read.All';

/** If one app is forbidden, all count as unread: the permission is the tenant's. */
export function toAppsReading(apps: readonly AppDefinition[]): AppsReading {
  const facts = apps.flatMap((app) => app.facts ?? []);
  if (facts.length === apps.length) {
    return facts;
  }
  const why = `cannot be read: the application permission ${appPermission} is missing`;
  return { kind: 'unread', why, advice: `Grant the application permission ${appPermission}.` };
}

const absentAdvice = 'Put the id of the app in the settings.';

/** Why no app could be read, as a finding besides the error. */
const appFailures: Partial<Record<ErrorCode, AppsReading>> = {
  'app-missing': { kind: 'absent', why: 'an app in the settings does not exist', advice: absentAdvice },
  'app-ambiguous': {
    kind: 'absent',
    why: 'several apps have that name, none of them a Win32 app',
    advice: absentAdvice,
  },
  'licence-missing': {
    kind: 'unread',
    why: 'the tenant has no active Microsoft Intune licence',
    advice: 'Assign one in the Microsoft 365 admin centre, or correct tenantId in the settings.',
  },
};

export function toAppsFailure(error: MusterError): AppsReading {
  const advice = `Check that ${appPermission} is granted. docs/commands.md explains the code.`;
  return appFailures[error.code] ?? { ...toReadFailure(error), advice };
}

/** The instrument that this run's is compared with, and what the report says about it. */
interface InstrumentContext {
  readonly who: string;
  /** Whether assignments have filters; undefined where the report was not read or does not say. */
  readonly hasFilters: boolean | undefined;
  readonly remembered: Instrument | undefined;
}

/**
 * The ids of the apps, and a fingerprint of what decides the states: detection rules, assignments, and whether these
 * have filters. Where the last is not known, it is taken to be as it was.
 */
export function buildAppInstrument(
  apps: readonly AppDefinition[],
  { who, hasFilters, remembered }: InstrumentContext,
): Instrument {
  const id = apps.map((app) => app.id).join(',');
  const named = { id, ...omitUndefined({ createdAt: findFirstCreation(apps) }) };
  const decisive = listDecisiveParts(apps);
  if (decisive === undefined) {
    return named;
  }
  const withoutFilters = hashDecisiveParts(decisive, who);
  const withFilters = hashDecisiveParts([...decisive, 'assignment filters'], who);
  const filtered = hasFilters ?? remembered?.fingerprint === withFilters;
  return { ...named, fingerprint: filtered ? withFilters : withoutFilters };
}

/** A device that was in contact after any of the apps was created could be asked. */
function findFirstCreation(apps: readonly AppDefinition[]): string | undefined {
  const [first, ...others] = apps.map(({ facts }) => facts?.createdAt).sort();
  return others.includes(undefined) ? undefined : first;
}

/** Undefined where anything of an app could not be read. */
function listDecisiveParts(apps: readonly AppDefinition[]): unknown[] | undefined {
  const parts = apps.flatMap(({ facts }) => {
    if (facts === undefined || 'kind' in facts.assignments) {
      return [];
    }
    const assignments = facts.assignments.map(({ intent, target, groupId }) =>
      canonicalJson([intent, target, groupId]),
    );
    return [[facts.detectionRules, assignments.sort()]];
  });
  return parts.length === apps.length ? parts : undefined;
}

function hashDecisiveParts(decisive: readonly unknown[], who: string): string {
  try {
    return computeSha256(canonicalJson(decisive));
  } catch (error) {
    // Writing JSON is recursive and can overflow the stack; reading it is not.
    if (error instanceof RangeError) {
      throw createUnreadableAnswerError(who, 'a detection rule that is nested too deeply');
    }
    throw error;
  }
}
