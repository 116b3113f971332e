/** A simulated Fleet server. It shares no code with the source, so that no misreading cancels out. */
import type { PlatformReply, PlatformRequest, PlatformState } from '../contracts/platform.ts';

export const policyName = 'Endpoint agent';
const agentFiles = ['/usr/local/fhfs/bin/fhagent', 'C:\\Windows\\System32\\drivers\\fhfs.sys', '/opt/fhfs/bin/fhagent'];
export const token = 'canary-fleet-token';

const policies = [
  { id: 3, name: 'Disk is encrypted', query: 'SELECT 1;' },
  {
    id: 7,
    name: policyName,
    query: agentFiles.map((file) => `SELECT 1 FROM file WHERE path = '${file}'`).join(' UNION '),
  },
];

/** A third each on macOS, Windows and Linux; the agent is on every other host. */
export function makeHost(id: number, field: (usual: string) => unknown = (usual) => usual): Record<string, unknown> {
  return {
    id,
    platform: ['darwin', 'windows', 'ubuntu'][id % 3],
    computer_name: field(`host-${id}`),
    hardware_serial: field(`FL33T${id}`),
    hardware_model: field('Model 7'),
    os_version: field('Ubuntu 24.04.3 LTS'),
    seen_time: field('2026-11-20T03:55:32Z'),
    policy_updated_at: field('2026-11-20T03:12:00Z'),
    last_enrolled_at: field('2025-12-16T15:50:57Z'),
    team_name: field('Workstations'),
    mdm: { enrollment_status: field('On (manual)') },
    policies: [
      { id: 3, name: 'Disk is encrypted', response: 'fail' },
      { id: 7, name: policyName, response: field(id % 2 === 1 ? 'pass' : 'fail') },
    ],
  };
}

export function answerAsFleet(
  { path, url }: PlatformRequest,
  { devices, claimed, pageSize }: PlatformState,
): PlatformReply {
  if (path === '/api/v1/fleet/hosts/count') {
    return { body: { count: claimed } };
  }
  if (path === '/api/v1/fleet/global/policies') {
    return { body: { policies } };
  }
  if (path !== '/api/v1/fleet/hosts' || url.searchParams.get('order_key') !== 'id') {
    return { status: 404, body: { message: 'Resource Not Found' } };
  }
  const after = Number(url.searchParams.get('after'));
  const size = Math.min(pageSize, Number(url.searchParams.get('per_page')));
  const listed = devices.toSorted((one, other) => Number(one.id) - Number(other.id));
  const from = listed.findIndex(({ id }) => Number(id) > after);
  return { body: { hosts: from === -1 ? [] : listed.slice(from, from + size) } };
}
