/** Devices that are listed but not counted, as far as their own record says so. */
import type { DeviceFacts, SourceFacts } from '../facts/facts.ts';
import type { ExclusionRule, SourceRules } from '../facts/rules.ts';
import type { ExcludedBecause } from '../facts/vocabulary.ts';

/** The first rule that holds, in the order of the platform's table. */
export function findOwnExclusion(
  device: DeviceFacts,
  rules: SourceRules,
  population: SourceFacts['population'],
): ExclusionRule['because'] | undefined {
  for (const rule of rules.exclusions) {
    if (rule.onlyCompany && population !== 'company') {
      continue;
    }
    const value = device[rule.field];
    if (value !== undefined && rule.is.includes(value)) {
      return rule.because;
    }
  }
  return undefined;
}

/** Unmanaged or retiring: such a record never takes the place of another. */
export function isUnmanagedOrRetiring(because: ExcludedBecause | undefined): boolean {
  return because === 'unmanaged' || because === 'retiring';
}
