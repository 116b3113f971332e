/** A type of channel: its settings with their meaning, and the function that opens it. `channel-kinds.ts` lists all types. */
import * as v from 'valibot';
import { eventKinds, severities } from '../core/facts/event-kinds.ts';
import type { SecretProvider } from '../http/secrets.ts';
import {
  defineBlock,
  defineChoice,
  defineForm,
  describeOptional,
  describeSetting,
  textSchema,
} from '../settings/fields.ts';
import { secretSchema } from '../settings/secret-references.ts';
import type { Channel } from './channel.ts';

/** Everything that a channel is opened with besides its own settings. */
export interface ChannelContext {
  /** Turns a reference of the settings into a provider, which reads the secret only when it is used. */
  readonly secret: (reference: string) => SecretProvider;
  /** A token that AWS signs for Muster and this audience. */
  readonly webIdentityToken: (audience: string) => Promise<string>;
  /** Milliseconds without an answer before a request is abandoned, instead of the channel's own limit. */
  readonly idle?: number | undefined;
  /** An address that replaces the service's own. */
  readonly address?: string | undefined;
}

export interface ChannelKind<Type extends string, Entries extends v.ObjectEntries> {
  readonly type: Type;
  /** The type's own settings; `defineChannel` adds those that every channel has. */
  readonly settings: Entries;
  /** Settings about how it sends rather than where: changing one does not start the channel anew. */
  readonly deliveryKeys?: readonly (keyof Entries)[];
  /** Audiences of the tokens that it requests from AWS; a deployment allows its role no others. */
  listAudiences?(settings: v.InferOutput<ReturnType<typeof defineSettings<Type, Entries>>>): readonly string[];
  open(
    settings: v.InferOutput<ReturnType<typeof defineSettings<Type, Entries>>>,
    context: ChannelContext,
  ): Omit<Channel, 'name' | 'address' | 'only'>;
}

export function defineChannel<const Type extends string, const Entries extends v.ObjectEntries>(
  kind: ChannelKind<Type, Entries>,
) {
  return { ...kind, schema: defineSettings(kind.type, kind.settings) };
}

function defineSettings<const Type extends string, const Entries extends v.ObjectEntries>(
  type: Type,
  entries: Entries,
) {
  return defineBlock({ type: v.literal(type), ...entries, ...common });
}

export const webAddressSchema = describeSetting(secretSchema, 'its address');

export function defineList<const Item extends v.GenericSchema>(item: Item) {
  return v.pipe(v.array(item, 'must be a list'), v.minLength(1, 'must not be empty'));
}

function defineChoices<const Words extends readonly [string, ...string[]]>(words: Words) {
  return defineList(describeSetting(defineChoice(words), words.map((one) => `\`${one}\``).join(', ')));
}

const eventKindWords = Object.keys(eventKinds) as [keyof typeof eventKinds, ...(keyof typeof eventKinds)[]];

const common = {
  name: describeOptional(
    defineForm(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be letters, digits, dots, hyphens and underscores'),
    'how it is called in logs, in messages and in the store; its type where it is left out. Required where a type stands twice',
  ),
  only: describeOptional(
    defineBlock({
      severity: describeOptional(defineChoices(severities), 'how bad an event is when it opens'),
      kinds: describeOptional(defineChoices(eventKindWords), 'kinds of events'),
      source: describeOptional(defineList(textSchema), 'names of sources'),
      site: describeOptional(defineList(textSchema), 'sites of devices'),
      department: describeOptional(defineList(textSchema), 'departments of devices'),
      building: describeOptional(defineList(textSchema), 'buildings of devices'),
      category: describeOptional(defineList(textSchema), 'categories of devices'),
    }),
    'only events that have one of the words of each list; what was sent as open is always sent as resolved too',
  ),
};
