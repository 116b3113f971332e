/**
 * The settings from which the stack is made. `infra/plan/deployment.ts` makes them from muster.yaml, and passes them to
 * osls as a JSON file. A text may name a parameter of the template (`${ReportBucketName}`), as in the plain template.
 */

export interface BucketPlace {
  readonly bucket: string;
  /** Prefix that ends with a slash unless it is empty. */
  readonly prefix: string;
  /** The account of an existing bucket; undefined where the stack makes the bucket. */
  readonly owner: string | undefined;
  /** The ARN of a key; `own` where the stack makes one for the audit bucket. */
  readonly key: string | undefined;
}

export interface AuditPlace extends BucketPlace {
  readonly mode: string;
  readonly days: number;
}

export interface Network {
  readonly subnets: readonly string[];
  readonly securityGroups: readonly string[];
}

export interface Tenants {
  readonly names: readonly string[];
  /** Limit of runs at once. */
  readonly concurrency: number;
  /** The SHA-256 of the list of their settings files. */
  readonly sha256: string;
  /** Audiences of their tokens for Entra. */
  readonly audiences: readonly string[];
  /** `aws`, or the partition of China or of GovCloud. */
  readonly partition: string;
}

export interface StackSettings {
  readonly stage: string;
  readonly settingsSha256: string;
  readonly reports: BucketPlace;
  readonly audit: AuditPlace | undefined;
  /** The ARN of the key that signs commits. */
  readonly signingKey: string | undefined;
  readonly schedule: {
    readonly expression: string;
    readonly healing: readonly string[];
    readonly verify: string;
    readonly timezone: string;
    readonly silenceHours: number;
  };
  /** Days that the query tables look back. */
  readonly tableDays: number;
  /** ARNs of resources that a run reads, and of its messages' targets; audiences for tokens. */
  readonly secrets: readonly string[];
  readonly parameters: readonly string[];
  readonly audiences: readonly string[];
  readonly documents: readonly string[];
  readonly topics: readonly string[];
  readonly buses: readonly string[];
  /** Principals that may write `settings/`: ARNs, or the parameter that lists them; if empty, the account's policies decide. */
  readonly deployers: readonly string[] | { readonly Ref: string };
  readonly alarmEmail: string;
  /** Settings from options of a deployment alone, which the next deployment keeps. */
  readonly setByOptions: Readonly<Record<string, string>>;
  /** Memory in MB; `timeout` is in seconds. */
  readonly memory: number;
  readonly timeout: number;
  readonly durationAlarmMilliseconds: number;
  readonly reservedConcurrency: number;
  readonly network: Network | undefined;
  readonly proxy: { readonly url: string; readonly noProxy: readonly string[] } | undefined;
  /** The container image; undefined where a run is a function. */
  readonly image: string | undefined;
  readonly tenants: Tenants | undefined;
  readonly logRetention: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly permissionsBoundary: string | undefined;
  readonly athenaCutoffBytes: number;
}

export function nameStack({ stage }: StackSettings): string {
  return `muster-${stage}`;
}

/** The name of the Glue database. */
export function nameDatabase({ stage }: StackSettings): string {
  return `muster_${stage}`;
}
