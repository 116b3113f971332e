/**
 * Reads what else the checks need: the groups that the settings name for the app's assignments, and this application's permissions.
 * A failure here never makes the source incomplete.
 */
import type { NamedGroup } from '../../deployment/checks/assignment.ts';
import { type ReadFailure, toReadFailure } from '../../deployment/finding.ts';
import { MusterError } from '../../errors.ts';
import { readRecord } from '../read.ts';
import { type Graph, readPages, type Tenant } from './graph.ts';
import { guidPattern } from './settings.ts';

const groupPermission = 'GroupMember.Read.All';

/** An id is used as it is; a name is looked up, which needs its own permission. */
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
      return { is: 'unread', why, advice: `Grant ${groupPermission}, or name the groups by their ids.` };
    }
    return toReadFailure(error);
  }
}

async function findGroupIds(graph: Graph, name: string): Promise<string[]> {
  const filter = encodeURIComponent(`displayName eq '${name.replaceAll("'", "''")}'`);
  const ids: string[] = [];
  const query = `$filter=${filter}&$select=id,displayName`;
  for await (const page of readPages(graph, '/v1.0/groups', query, { isOptional: true })) {
    for (const { id, displayName } of page.rows) {
      if (displayName === name) {
        ids.push(String(id).toLowerCase());
      }
    }
  }
  return ids;
}

/**
 * The application permissions in the token's `roles` claim. Microsoft does not guarantee that clients can read a token;
 * where Muster cannot, the permissions are unknown. https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference
 */
export async function readRoles(tenant: Tenant): Promise<readonly string[] | ReadFailure> {
  try {
    const [, payload = ''] = (await tenant.credential.header()).split('.');
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
  return { is: 'unread', why: 'the token does not say what this application may do', advice };
}
