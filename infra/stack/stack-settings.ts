/**
 * All that decides what the stack is made of: `infra/plan/deployment.ts` makes it from muster.yaml, and hands it to osls
 * as a file of JSON. A text may name a parameter of the template (`${ReportBucketName}`), as the plain template does.
 */

export interface BucketPlace {
  readonly bucket: string;
  /** Ends with a slash unless it is empty. */
  readonly prefix: string;
  /** The account of a bucket that exists already; without it the stack makes the bucket. */
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
  /** At most so many runs at once. */
  readonly concurrency: number;
  /** The SHA-256 of the list of their settings files. */
  readonly sha256: string;
  /** The audiences of their tokens for Entra. */
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
  /** The days that the query tables look back. */
  readonly tableDays: number;
  /** ARNs of what a run reads and where it sends messages; of tokens for Entra, the audiences. */
  readonly secrets: readonly string[];
  readonly parameters: readonly string[];
  readonly audiences: readonly string[];
  readonly documents: readonly string[];
  readonly topics: readonly string[];
  readonly buses: readonly string[];
  /** Who may write `settings/`: ARNs, or the parameter that lists them; without any, whatever the account's policies allow. */
  readonly deployers: readonly string[] | { readonly Ref: string };
  readonly alarmEmail: string;
  /** Settings that only an option of a deployment has said, which the next deployment keeps. */
  readonly setByOptions: Readonly<Record<string, string>>;
  /** MB, and seconds. */
  readonly memory: number;
  readonly timeout: number;
  readonly durationAlarmMilliseconds: number;
  readonly reservedConcurrency: number;
  readonly network: Network | undefined;
  readonly proxy: { readonly url: string; readonly noProxy: readonly string[] } | undefined;
  /** The container image where a run is a task. */
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
