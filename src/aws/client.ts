/** What all clients of AWS have in common here: how long they wait, when they are closed, and what is said of their errors. */

/** Without timeouts, one unanswered request would use up the whole run. */
export const awsClientTimeouts = { requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000 } };

/** A client whose connections are closed where the block ends that opened it. */
export function closeAtEnd<Client extends { destroy(): void }>(client: Client): Client & Disposable {
  return Object.assign(client, { [Symbol.dispose]: () => client.destroy() });
}

/** The name of an error. Its message is left out, since it contains accounts, roles and addresses. */
export function toSafeErrorName(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'Error' && error instanceof Error && /region is missing/i.test(error.message)) {
    return 'no region is set';
  }
  return /^[A-Za-z][A-Za-z0-9.]{2,80}$/.test(name) ? name : 'no reason given';
}
