/** The instrument of Intune's states: the apps, their detection rules and their assignments. */
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

/** The apps for checks. If one is forbidden, all count as unread, because the permission is the tenant's. */
export function toAppsReading(apps: readonly AppDefinition[]): AppsReading {
  const facts = apps.flatMap((app) => app.facts ?? []);
  if (facts.length === apps.length) {
    return facts;
  }
  const why = `cannot be read: the application permission ${appPermission} is missing`;
  return { kind: 'unread', why, advice: `Grant the application permission ${appPermission}.` };
}

const absentAdvice = 'Put the id of the app in the settings.';

/** Findings for the errors that mean that no app could be read. */
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

/** Everything besides the apps that the instrument depends on. */
interface InstrumentContext {
  readonly who: string;
  /** Whether assignments have filters; undefined where the report was not read or does not say it. */
  readonly hasFilters: boolean | undefined;
  readonly remembered: Instrument | undefined;
}

/**
 * Builds the instrument: the ids of the apps, and a fingerprint of everything that decides the states: detection rules,
 * assignments, and whether these have filters. If that is not known, the remembered fingerprint's is kept.
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

/** Time since which any device could be asked: when the first app was created; undefined where one has no date. */
function findFirstCreation(apps: readonly AppDefinition[]): string | undefined {
  const [first, ...others] = apps.map(({ facts }) => facts?.createdAt).sort();
  return others.includes(undefined) ? undefined : first;
}

/** Undefined where a part of an app could not be read. */
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
    // Serialising JSON is recursive and can overflow the stack, unlike parsing.
    if (error instanceof RangeError) {
      throw createUnreadableAnswerError(who, 'a detection rule that is nested too deeply');
    }
    throw error;
  }
}
