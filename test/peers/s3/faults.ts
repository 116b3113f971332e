/** What can go wrong with one request, by name. */

export type Fault =
  /** Refused; nothing is applied. */
  | { readonly kind: 'refuse'; readonly status: number; readonly code: string; readonly extra?: Record<string, string> }
  /** Applied, then answered with a failure all the same. */
  | { readonly kind: 'fail-after' }
  /** Applied, and the connection cut before the answer. */
  | { readonly kind: 'lose-reply' }
  /** The connection cut; nothing is applied. */
  | { readonly kind: 'cut' }
  /** Nothing is applied, nothing is answered. */
  | { readonly kind: 'hang' }
  /** Half of a body, then the connection cut. */
  | { readonly kind: 'truncate' }
  /** A body with one bit flipped on its way. */
  | { readonly kind: 'corrupt' }
  /** Not applied, and a failure inside an answer that says 200. */
  | { readonly kind: 'fail-in-200' }
  /** Conditional headers are taken and not looked at. */
  | { readonly kind: 'ignore-conditions' };

const refuse = (status: number, code: string, extra?: Record<string, string>): Fault => ({
  kind: 'refuse',
  status,
  code,
  ...(extra ? { extra } : {}),
});

export const faults = {
  refuse,
  failBefore: refuse(500, 'InternalError'),
  failAfter: { kind: 'fail-after' },
  loseReply: { kind: 'lose-reply' },
  cut: { kind: 'cut' },
  hang: { kind: 'hang' },
  truncate: { kind: 'truncate' },
  corrupt: { kind: 'corrupt' },
  failIn200: { kind: 'fail-in-200' },
  ignoreConditions: { kind: 'ignore-conditions' },
  slowDown: refuse(503, 'SlowDown'),
  deny: refuse(403, 'AccessDenied'),
  conflict: refuse(409, 'ConditionalRequestConflict'),
} as const satisfies Record<string, unknown>;
