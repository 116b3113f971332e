/**
 * Reads the other facts for checks: the groups that the settings name for the app's assignments, and this application's
 * permissions. A failure here never makes the source incomplete.
 */

import { MusterError } from '../../base/errors.ts';
import type { NamedGroup } from '../../deployment/checks/intune/reading.ts';
import { type ReadFailure, toReadFailure } from '../../deployment/checks/verdicts.ts';
import { guidPattern } from '../../microsoft/tenant.ts';
import { readRecord } from '../reading/fields.ts';
import { type Graph, readAllRows, toOptionalGraph } from './client.ts';

const groupPermission = 'GroupMember.Read.All';

/** Reads the groups. An id is used as it is; looking up a name needs its own permission. */
export async function readAssignmentGroups(
  graph: Graph,
  named: readonly string[],
): Promise<readonly NamedGroup[] | ReadFailure> {
  try {
    return await Promise.all(
      named.map(async (name) => ({
        named: name,
        ids: guidPattern.test(name) ? [name.toLowerCase()] : await findGroupIds(graph, name),
      })),
    );
  } catch (error) {
    if (error instanceof MusterError && error.code === 'permission-missing') {
      const why = `group names cannot be read: the application permission ${groupPermission} is missing`;
      return { kind: 'unread', why, advice: `Grant ${groupPermission}, or name the groups by their ids.` };
    }
    return toReadFailure(error);
  }
}

async function findGroupIds(graph: Graph, name: string): Promise<string[]> {
  const filter = encodeURIComponent(`displayName eq '${name.replaceAll("'", "''")}'`);
  const query = `$filter=${filter}&$select=id,displayName`;
  const groups = await readAllRows(toOptionalGraph(graph), '/v1.0/groups', query);
  return groups.filter(({ displayName }) => displayName === name).map(({ id }) => String(id).toLowerCase());
}

/**
 * The application permissions in the token's `roles` claim. Microsoft does not guarantee that clients can read a token;
 * where Muster cannot, the permissions are unknown. https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference
 */
export async function readRoles(graph: Graph): Promise<readonly string[] | ReadFailure> {
  try {
    const [, payload = ''] = (await graph.credential.header()).split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const roles = readRecord(claims)?.roles;
    if (Array.isArray(roles)) {
      return roles.filter((role) => typeof role === 'string');
    }
  } catch (error) {
    if (error instanceof MusterError) {
      return toReadFailure(error);
    }
  }
  const advice = 'Check the API permissions of the app registration: each must end with .Read.All.';
  return { kind: 'unread', why: 'the token does not say what this application may do', advice };
}
