/** The settings of channels: where each sends, how it is called, and which events it wants. */
import * as v from 'valibot';
import { eventKinds, severities } from '../core/facts/event-kinds.ts';
import { defineBlock, defineChoice, defineWholeNumber, describeSetting, textSchema } from './fields.ts';
import { secretSchema } from './secret-references.ts';

const topicArnSchema = v.pipe(
  textSchema,
  v.regex(
    /^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:\S+$/,
    'must be a topic such as arn:aws:sns:eu-west-1:123456789012:muster',
  ),
);

const webAddressSchema = describeSetting(secretSchema, 'its address');

const mailAddressSchema = v.pipe(textSchema, v.regex(/^[^\s<>,;@"]+@[^\s<>,;@"]+$/, 'must be one mail address'));

const textsSchema = v.pipe(v.array(textSchema, 'must be a list'), v.minLength(1, 'must not be empty'));

function defineChoices<const Words extends readonly [string, ...string[]]>(words: Words) {
  const word = describeSetting(defineChoice(words), words.map((one) => `\`${one}\``).join(', '));
  return v.pipe(v.array(word, 'must be a list'), v.minLength(1, 'must not be empty'));
}

const eventKindWords = Object.keys(eventKinds) as [keyof typeof eventKinds, ...(keyof typeof eventKinds)[]];

const selectionSchema = v.optional(
  describeSetting(
    defineBlock({
      severity: v.optional(describeSetting(defineChoices(severities), 'how bad an event is when it opens')),
      kinds: v.optional(describeSetting(defineChoices(eventKindWords), 'kinds of events')),
      source: v.optional(describeSetting(textsSchema, 'names of sources')),
      site: v.optional(describeSetting(textsSchema, 'sites of devices')),
      department: v.optional(describeSetting(textsSchema, 'departments of devices')),
      building: v.optional(describeSetting(textsSchema, 'buildings of devices')),
      category: v.optional(describeSetting(textsSchema, 'categories of devices')),
    }),
    'only events that have one of the words of each list; what was sent as open is always sent as resolved too',
  ),
);

const common = {
  name: v.optional(
    describeSetting(
      v.pipe(
        textSchema,
        v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be letters, digits, dots, hyphens and underscores'),
      ),
      'how it is called in logs, in messages and in the store; its type where it is left out. Required where a type stands twice',
    ),
  ),
  only: selectionSchema,
};

const portSchema = defineWholeNumber(1, 65_535);

const channelTypes = ['sns', 'eventbridge', 'slack', 'teams', 'webhook', 'pagerduty', 'smtp'] as const;

const channelSchema = v.variant(
  'type',
  [
    defineBlock({
      type: v.literal('sns'),
      topicArn: describeSetting(topicArnSchema, 'the ARN of the topic'),
      ...common,
    }),
    defineBlock({
      type: v.literal('eventbridge'),
      busName: v.optional(describeSetting(textSchema, 'the name or ARN of the bus'), 'default'),
      source: v.optional(describeSetting(textSchema, 'the source of the events'), 'muster'),
      ...common,
    }),
    defineBlock({ type: v.literal('slack'), url: webAddressSchema, ...common }),
    defineBlock({ type: v.literal('teams'), url: webAddressSchema, ...common }),
    defineBlock({
      type: v.literal('webhook'),
      url: webAddressSchema,
      key: v.optional(describeSetting(secretSchema, 'signs messages')),
      ...common,
    }),
    defineBlock({
      type: v.literal('pagerduty'),
      routingKey: describeSetting(secretSchema, 'the integration key of a service (Events API v2)'),
      region: v.optional(describeSetting(defineChoice(['us', 'eu']), 'where the account is'), 'us'),
      ...common,
    }),
    defineBlock({
      type: v.literal('smtp'),
      host: describeSetting(textSchema, 'the mail server'),
      port: v.optional(describeSetting(portSchema, 'its port; at 465 TLS comes first, elsewhere by STARTTLS'), 587),
      user: v.optional(describeSetting(secretSchema, 'the account, where the server wants one')),
      password: v.optional(describeSetting(secretSchema, 'its password')),
      from: describeSetting(mailAddressSchema, 'the sender'),
      to: describeSetting(
        v.pipe(v.array(mailAddressSchema, 'must be a list'), v.minLength(1, 'must not be empty')),
        'the recipients',
      ),
      ...common,
    }),
  ],
  `must be one of ${channelTypes.join(', ')}`,
);

export const channelsSchema = v.pipe(
  v.array(channelSchema, 'must be a list of channels'),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) {
      return;
    }
    for (const [index, { type, name }] of dataset.value.entries()) {
      const others = dataset.value.filter((_, place) => place !== index);
      const called = name ?? type;
      // Some file systems take names for the same that differ only in case.
      const isSame = (one: { readonly name?: string | undefined; readonly type: string }) =>
        (one.name ?? one.type).toLowerCase() === called.toLowerCase();
      const isSecond = dataset.value.slice(0, index).some(isSame);
      const message =
        name === undefined && others.some((one) => one.type === type)
          ? `another channel is ${type} too: give each a name`
          : `is "${called}", which is the name of another channel`;
      if (isSecond || (name === undefined && others.some((one) => one.type === type))) {
        const path = {
          type: 'array',
          origin: 'value',
          input: dataset.value,
          key: index,
          value: dataset.value[index],
        } as const;
        addIssue({ message, path: [path] });
      }
    }
  }),
);

export type ChannelSettings = v.InferOutput<typeof channelSchema>;
