/** What AWS refused, by its own name for it; its sentences hold accounts, roles and addresses. */

export function toSafeErrorName(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'Error' && error instanceof Error && /region is missing/i.test(error.message)) {
    return 'no region is set';
  }
  return /^[A-Za-z][A-Za-z0-9.]{2,80}$/.test(name) ? name : 'no reason given';
}

/** A client that waits for ever would take the whole night with it. */
export const awsClientTimeouts = { requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000 } };
