/** Landmarks of the protocol, recognised by the key and kind of a request alone, so that model and product share them. */

/**
 * `read-latest` and `read-log`: the first read of `latest.json`, and the first list of `commits/` in the store, before
 * the run has changed anything. `attempt`: a create below `runs/`. `commit`: the create of a commit in the store. `after-commit`: whatever request
 * comes next. `latest`: the put of `latest.json`. `copies`: a put, copy or remove of a dated copy or below `latest/`.
 * `audit`: the create of a commit in the audit. `removal`: a remove below `runs/`.
 */
export type Landmark =
  | 'read-latest'
  | 'read-log'
  | 'attempt'
  | 'commit'
  | 'after-commit'
  | 'latest'
  | 'copies'
  | 'audit'
  | 'removal';

/** A request as far as landmarks need it; `stream` and `digest` are reads. */
export interface SeenRequest {
  readonly kind: 'read' | 'list' | 'create' | 'put' | 'copy' | 'remove';
  readonly place: 'store' | 'audit';
  /** The key that is read or changed, or the prefix that is listed. */
  readonly key: string;
}

/** The position of a request in its run. */
export interface Position {
  /** Landmarks whose section begins with this request. */
  readonly begins: readonly Landmark[];
  /** The landmark of a request that changes something. */
  readonly landmark: Landmark | undefined;
  readonly section: number;
  readonly request: number;
}

export type Tracker = (request: SeenRequest) => Position;

/** Follows the requests of one run. A section is a row of changes of one landmark; reads between them do not end it. */
export function trackLandmarks(): Tracker {
  const sections: Partial<Record<Landmark, number>> = {};
  let last: Landmark | undefined;
  let isAfterCommit = false;
  let count = 0;
  return (request) => {
    const begins: Landmark[] = isAfterCommit ? ['after-commit'] : [];
    const landmark = findLandmark(request);
    isAfterCommit = landmark === 'commit';
    const reading = last === undefined ? findReadLandmark(request) : undefined;
    if (reading !== undefined && sections[reading] === undefined) {
      begins.push(reading);
      sections[reading] = 0;
    }
    if (landmark === undefined) {
      return { begins, landmark, section: 0, request: 0 };
    }
    if (landmark === last) {
      count += 1;
    } else {
      begins.push(landmark);
      sections[landmark] = (sections[landmark] ?? -1) + 1;
      count = 0;
      last = landmark;
    }
    return { begins, landmark, section: sections[landmark] ?? 0, request: count };
  };
}

function findReadLandmark({ kind, place, key }: SeenRequest): Landmark | undefined {
  if (kind === 'list') {
    return place === 'store' && key === 'commits/' ? 'read-log' : undefined;
  }
  return kind === 'read' && key === 'latest.json' ? 'read-latest' : undefined;
}

/** The landmark of a request that changes something; undefined for others, which no schedule waits for. */
export function findLandmark({ kind, place, key }: SeenRequest): Landmark | undefined {
  if (kind === 'read' || kind === 'list') {
    return undefined;
  }
  if (key.startsWith('commits/')) {
    return place === 'audit' ? 'audit' : 'commit';
  }
  if (key === 'latest.json') {
    return 'latest';
  }
  if (key.startsWith('runs/')) {
    return kind === 'remove' ? 'removal' : 'attempt';
  }
  return key.startsWith('latest/') || key.includes('/date=') ? 'copies' : undefined;
}
