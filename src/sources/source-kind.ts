/**
 * The contract of a kind of source: one object with everything that settings, composition, rules, checks and reports
 * need to know about it. `compose/source-kinds.ts` lists all kinds; everything else is derived from that list.
 */
import type { LimitFunction } from 'p-limit';
import type * as v from 'valibot';
import type { DevicePlace, OperatingSystem } from '../core/facts/device-places.ts';
import type { DeviceFacts } from '../core/facts/facts.ts';
import type { NextSteps, SourceRules } from '../core/facts/rules.ts';
import type { Reason } from '../core/facts/vocabulary.ts';
import type { Artifact, ServerNames } from '../deployment/artifacts/artifact.ts';
import type { CheckDescription } from '../deployment/checks/check.ts';
import type { DeploymentSettings } from '../deployment/settings.ts';
import type { SecretProvider } from '../http/secrets.ts';
import type { Interview } from './interview.ts';
import type { Source } from './source.ts';

/** What a source is opened with besides its own settings. */
export interface OpenContext {
  readonly deployment: DeploymentSettings;
  /** Turns a reference in the settings into a provider, which reads the secret only when it is used. */
  readonly secret: (reference: string) => SecretProvider;
  /** A token that AWS signs for Muster and this audience. */
  readonly webIdentityToken: (audience: string) => Promise<string>;
  /** One limit for all sources that read the same server. */
  readonly limitRequests: (server: string, concurrency: number) => LimitFunction;
  /** Idle timeout in milliseconds, where the source's own is too long. */
  readonly idle?: number | undefined;
}

/** Fields of a device whose meaning is the platform's own. */
type PlatformField =
  | 'value'
  | 'detail'
  | 'valueAt'
  | keyof Pick<DeviceFacts, 'lastSeenAt' | 'managementState' | 'managementAgent' | 'ownership'>
  | DevicePlace;

/**
 * `System` are the operating systems that the kind lists, `Given` the reasons that its rules can give: each has a next
 * step. Readers of all kinds know none of them.
 */
export interface SourceKind<
  Kind extends string,
  Settings,
  System extends OperatingSystem,
  Given extends Reason = Reason,
  Explained extends Reason = Given,
> {
  /** The value of `platform` in the settings. */
  readonly kind: Kind;
  /** The product's name, also of its console. */
  readonly title: string;
  readonly schema: v.GenericSchema<unknown, Settings>;
  /** Keys of the settings whose values must be references to secrets. */
  readonly secretKeys: readonly string[];
  readonly rules: SourceRules<Given, System>;
  readonly nextSteps: NextSteps<Explained, System>;
  /** What the platform means by the fields that are its own; empty where it has no such thing. */
  readonly fields: Readonly<Record<PlatformField, string>>;
  /** Every check of such a source, with what it expects. They bring parsers, so that they are loaded when they are used. */
  loadChecks(): Promise<readonly CheckDescription[]>;
  /** What an administrator creates on such a server. */
  loadArtifacts(): Promise<readonly Artifact[]>;
  /** What `muster init` asks. */
  loadInterview(): Promise<Interview>;
  /** The noun for a device's answer, for sentences such as "12 have no value". */
  readonly answerNoun: string;
  /** Which secrets become visible with the permissions that the checks need; administrators must know before granting them. */
  readonly exposedSecrets: string;
  /** Every server that it asks, for what is said of the proxy in front of each; one may begin with `*.`. */
  listOrigins(settings: Settings): readonly string[];
  /** What artifacts name of such a source, for a kind whose platform they are created on. */
  listServerNames?(settings: Settings): ServerNames;
  /** The audiences of the tokens that it asks AWS for: a deployment allows its role no others. */
  listAudiences?(settings: Settings): readonly string[];
  /** Loads the source's parsers and checks, which nothing else does. */
  open(settings: Settings, context: OpenContext): Promise<Source>;
}
