/** Reads a secret when it is used; `refresh` reads it from its store again, since the last value was refused. */
export type SecretProvider = (refresh: boolean) => Promise<string>;
