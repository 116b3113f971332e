/** Scopes of Jamf Pro. */
import type { ScopeEntry } from '../../src/deployment/checks/jamf/scope.ts';

export const scopeEntry = (type: string, name: string, computers?: readonly string[]): ScopeEntry => ({
  type,
  id: name,
  name,
  ...(computers === undefined ? {} : { computers }),
});
export const group = (name: string, computers?: readonly string[]) => scopeEntry('computer_group', name, computers);
