/** Looks at a download as it streams by, and says at its end what is wrong with it. Keeps no more than it must. */
export interface Inspector {
  take(piece: Buffer): void | Promise<void>;
  /** What is wrong, in a few words; undefined where it is what it should be. */
  end(): Promise<string | undefined>;
}
