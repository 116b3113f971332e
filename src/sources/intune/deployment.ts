/**
 * What else the checks want to know of a tenant: the groups that the app is for, and what this application may do.
 * Nothing here can make the source incomplete.
 */
import type { WantedGroup } from '../../deployment/checks/assignment.ts';
import type { ReadFailure } from '../../deployment/finding.ts';
import { MusterError } from '../../errors.ts';
import { type Graph, isRecord, readPages, type Tenant } from './graph.ts';

const groupPermission = 'GroupMember.Read.All';
const guidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id stands for itself; a name is looked up, which takes a permission of its own. */
export async function readAssignmentGroups(
  graph: Graph,
  named: readonly string[],
): Promise<readonly WantedGroup[] | ReadFailure> {
  try {
    return await Promise.all(
      named.map(async (name) => ({
        named: name,
        ids: guidPattern.test(name) ? [name.toLowerCase()] : await findGroupIds(graph, name),
      })),
    );
  } catch (error) {
    if (error instanceof MusterError && error.code === 'permission-missing') {
      const why = `group names may not be read: the application permission ${groupPermission} is missing`;
      return { is: 'unread', why, advice: `Grant ${groupPermission}, or name the groups by their ids.` };
    }
    return toReadFailure(error);
  }
}

async function findGroupIds(graph: Graph, name: string): Promise<string[]> {
  const filter = encodeURIComponent(`displayName eq '${name.replaceAll("'", "''")}'`);
  const ids: string[] = [];
  for await (const page of readPages(graph, '/v1.0/groups', `$filter=${filter}&$select=id,displayName`)) {
    for (const { id, displayName } of page.rows) {
      if (displayName === name) {
        ids.push(String(id).toLowerCase());
      }
    }
  }
  return ids;
}

/**
 * The application permissions in the token's `roles` claim. Nobody promises that a token can be read by its bearer;
 * where it cannot, they are not known. https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference
 */
export async function readRoles(tenant: Tenant): Promise<readonly string[] | ReadFailure> {
  try {
    const [, payload = ''] = (await tenant.credential.header()).split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const roles = isRecord(claims) ? claims.roles : undefined;
    if (Array.isArray(roles)) {
      return roles.filter((role) => typeof role === 'string');
    }
  } catch (error) {
    if (error instanceof MusterError) {
      return toReadFailure(error);
    }
  }
  const advice = 'Look at the API permissions of the app registration: only those ending with .Read.All.';
  return { is: 'unread', why: 'the token does not say what this application may do', advice };
}

function toReadFailure(error: unknown): ReadFailure {
  const code = error instanceof MusterError ? error.code : 'unexpected';
  return {
    is: 'unread',
    why: `could not be read [${code}]`,
    advice: 'Run again; the README says what the code means.',
  };
}
