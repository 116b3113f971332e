/** Uses secrets that may be rotated while Muster runs: a refused one is read again, and used once more if it has changed. */

/** Signs in with a secret; `presented` is everything that is sent for that, and is only compared. */
export async function withCurrentSecret<Secret extends { readonly presented: string }, T>(
  read: (refresh: boolean) => Promise<Secret>,
  use: (secret: Secret) => Promise<T>,
  isRefusal: (error: unknown) => boolean,
): Promise<T> {
  const first = await read(false);
  try {
    return await use(first);
  } catch (error) {
    if (!isRefusal(error)) {
      throw error;
    }
    // Sending the same secret again could lock the account.
    const second = await read(true).catch(() => first);
    if (second.presented === first.presented) {
      throw error;
    }
    return use(second);
  }
}

/** Reads a secret when it is used; `refresh` reads it from its store again, since the last value was refused. */
export type SecretProvider = (refresh: boolean) => Promise<string>;
