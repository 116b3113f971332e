/** Secrets are rotated while programs run: a refused one is read once more, and tried once if it is another by now. */

interface PresentedSecret {
  /** All of what was presented; only ever compared. */
  readonly presented: string;
}

export async function withCurrentSecret<Secret extends PresentedSecret, T>(
  read: (again: boolean) => Promise<Secret>,
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
    // Presenting the same again would bring an account nearer to being locked.
    const second = await read(true).catch(() => first);
    if (second.presented === first.presented) {
      throw error;
    }
    return use(second);
  }
}
