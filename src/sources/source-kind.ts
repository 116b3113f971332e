/**
 * The contract of a kind of source: everything that settings, wiring, judgement, checks and reports need to know of it,
 * in one object. The kinds there are stand in one registry, `compose/source-kinds.ts`; all else is derived from it.
 */
import type * as v from 'valibot';
import type { SourceRules } from '../core/rules.ts';
import type { CheckCatalogue } from '../deployment/catalogue.ts';
import type { DeploymentSettings } from '../deployment/deployment-settings.ts';
import type { SecretProvider } from '../http/secret-provider.ts';
import type { Source } from './source.ts';

/** What a source is opened with besides its own settings. */
export interface OpenContext {
  readonly deployment: DeploymentSettings;
  /** From a reference in the settings to its reader; nothing is read before it is used. */
  readonly secret: (reference: string) => SecretProvider;
  /** A token that AWS signs for us, meant for this audience. */
  readonly webIdentityToken: (audience: string) => Promise<string>;
  /** Longest silence of a server in milliseconds, where the source's own patience is too long to wait for. */
  readonly idle?: number | undefined;
}

export interface SourceKind<Kind extends string = string, Settings = unknown> {
  /** The word that stands under `platform` in the settings. */
  readonly kind: Kind;
  /** How people call such a server. */
  readonly title: string;
  readonly schema: v.GenericSchema<unknown, Settings>;
  /** Keys of the settings whose values are only ever references to secrets. */
  readonly secretKeys: readonly string[];
  readonly rules: SourceRules;
  /** Every check that is made of such a source, with what it expects and whether it decides about the values. */
  readonly checks: CheckCatalogue;
  /** What a device has from such a source, for sentences such as "12 have no value". */
  readonly answerNoun: string;
  /** Which secrets an account can see that may read what the checks need: to be known before it is granted. */
  readonly exposedSecrets: string;
  /** The source's parsers and checks are loaded here, and not before. */
  open(settings: Settings, context: OpenContext): Promise<Source>;
}
