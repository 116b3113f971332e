/**
 * The contract of a kind of source: one object with everything about it that settings, composition, rules, checks and
 * reports need. `compose/source-kinds.ts` lists all kinds; everything else is derived from that list.
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

/** Everything that a source is opened with besides its own settings. */
export interface OpenContext {
  readonly deployment: DeploymentSettings;
  /** Turns a reference of the settings into a provider, which reads the secret only when it is used. */
  readonly secret: (reference: string) => SecretProvider;
  /** A token that AWS signs for Muster and this audience. */
  readonly webIdentityToken: (audience: string) => Promise<string>;
  /** One limit for all sources that read the same server. */
  readonly limitRequests: (server: string, concurrency: number) => LimitFunction;
  /** Milliseconds of an idle timeout that replaces the source's own. */
  readonly idle?: number | undefined;
}

/** Fields of a device with the platform's own meaning. */
type PlatformField =
  | 'value'
  | 'detail'
  | 'valueAt'
  | keyof Pick<DeviceFacts, 'lastSeenAt' | 'managementState' | 'managementAgent' | 'ownership'>
  | DevicePlace;

/**
 * A kind. `System` are the operating systems that it lists, `Given` the reasons that its rules can give, each with a
 * next step. Readers of all kinds use neither.
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
  /** The platform's meaning of these fields; empty where it has none. */
  readonly fields: Readonly<Record<PlatformField, string>>;
  /** All checks of such a source, with their expectations. Loaded on use, because they bring parsers. */
  loadChecks(): Promise<readonly CheckDescription[]>;
  /** Objects that an administrator creates on such a server. */
  loadArtifacts(): Promise<readonly Artifact[]>;
  /** The interview of `muster init`. */
  loadInterview(): Promise<Interview>;
  /** The noun for a device's answer, for sentences such as "12 have no value". */
  readonly answerNoun: string;
  /** Secrets that become visible with the permissions for checks, so that administrators know before granting them. */
  readonly exposedSecrets: string;
  /** All servers that it contacts, for advice about proxies; one may begin with `*.`. */
  listOrigins(settings: Settings): readonly string[];
  /** Names of such a source in artifacts, for a kind whose platform they are created on. */
  listServerNames?(settings: Settings): ServerNames;
  /** Audiences of the tokens that it requests from AWS; a deployment allows its role no others. */
  listAudiences?(settings: Settings): readonly string[];
  /** Opens the source, and loads its parsers and checks, which nothing else does. */
  open(settings: Settings, context: OpenContext): Promise<Source>;
}
