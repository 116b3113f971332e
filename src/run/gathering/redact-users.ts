/** Shows, hashes or omits people in facts, before anything is written. */
import { createHmac } from 'node:crypto';
import type { ExemptionRow } from '../../core/facts/company.ts';
import type { DeviceFacts, Facts } from '../../core/facts/facts.ts';
import type { ListRow } from '../../core/facts/lists.ts';

export type Privacy =
  | { readonly users: 'show' }
  | { readonly users: 'omit' }
  /** HMAC under a key: a plain hash of an address could be found by trying addresses. */
  | { readonly users: 'hash'; readonly key: string };

/** Redacts users; `concealed` names sources whose facts come from an earlier attempt and are redacted already. */
export function redactUsers(facts: Facts, privacy: Privacy, concealed: ReadonlySet<string>): Facts {
  if (privacy.users === 'show') {
    return facts;
  }
  const exemptions = facts.exemptions.map((row) => redactExemptionRow(row, privacy));
  const sources = facts.sources.map((source) =>
    concealed.has(source.name)
      ? source
      : { ...source, devices: source.devices.map((device) => redactDevice(device, privacy)) },
  );
  return { ...facts, exemptions, ...redactOwners(facts, privacy), sources };
}

function redactDevice(device: DeviceFacts, privacy: Privacy): DeviceFacts {
  const { user, ...rest } = device;
  return user === undefined || privacy.users === 'omit' ? rest : { ...rest, user: redactUser(user, privacy) };
}

/** Redacts the person of a `user` row; where users are omitted, `refuseUserExemptions` has refused such rows. */
function redactExemptionRow(row: ExemptionRow, privacy: Privacy): ExemptionRow {
  // An empty value is kept, so that judgement still finds it invalid.
  return row.match === 'user' && row.value !== '' ? { ...row, value: redactUser(row.value, privacy) } : row;
}

/** Redacts owners of machines, and drops notes, which may name people. */
function redactOwners({ lists }: Facts, privacy: Privacy): Pick<Facts, 'lists'> {
  const { expected } = lists ?? {};
  const rows = expected?.rows.map(
    ({ owner, note: _, ...row }): ListRow =>
      owner === undefined || privacy.users === 'omit' ? row : { ...row, owner: redactUser(owner, privacy) },
  );
  return expected && rows ? { lists: { ...lists, expected: { ...expected, rows } } } : {};
}

function redactUser(user: string, privacy: Privacy): string {
  return privacy.users === 'hash' ? createHmac('sha256', privacy.key).update(user).digest('hex') : user;
}
