/** The settings of channels: where each sends, how it is called, and which events it wants. */
import * as v from 'valibot';
import { eventKinds, severities } from '../core/facts/event-kinds.ts';
import {
  defineBlock,
  defineChoice,
  defineForm,
  defineWholeNumber,
  describeOptional,
  describeSetting,
  flagSchema,
  textSchema,
} from './fields.ts';
import { secretSchema } from './secret-references.ts';

const webAddressSchema = describeSetting(secretSchema, 'its address');

const mailAddressSchema = defineForm(/^[^\s<>,;@"]+@[^\s<>,;@"]+$/, 'must be one mail address');

function defineList<const Item extends v.GenericSchema>(item: Item) {
  return v.pipe(v.array(item, 'must be a list'), v.minLength(1, 'must not be empty'));
}

function defineChoices<const Words extends readonly [string, ...string[]]>(words: Words) {
  return defineList(describeSetting(defineChoice(words), words.map((one) => `\`${one}\``).join(', ')));
}

const eventKindWords = Object.keys(eventKinds) as [keyof typeof eventKinds, ...(keyof typeof eventKinds)[]];

const selectionSchema = describeOptional(
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
);

const common = {
  name: describeOptional(
    defineForm(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be letters, digits, dots, hyphens and underscores'),
    'how it is called in logs, in messages and in the store; its type where it is left out. Required where a type stands twice',
  ),
  only: selectionSchema,
};

const channelSchemas = [
  defineBlock({
    type: v.literal('sns'),
    topicArn: describeSetting(
      defineForm(
        /^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:\S+$/,
        'must be a topic such as arn:aws:sns:eu-west-1:123456789012:muster',
      ),
      'the ARN of the topic',
    ),
    ...common,
  }),
  defineBlock({
    type: v.literal('eventbridge'),
    busName: describeOptional(textSchema, 'the name or ARN of the bus', 'default'),
    source: describeOptional(textSchema, 'the source of the events', 'muster'),
    ...common,
  }),
  defineBlock({ type: v.literal('slack'), url: webAddressSchema, ...common }),
  defineBlock({ type: v.literal('teams'), url: webAddressSchema, ...common }),
  defineBlock({
    type: v.literal('webhook'),
    url: webAddressSchema,
    key: describeOptional(secretSchema, 'signs messages'),
    ...common,
  }),
  defineBlock({
    type: v.literal('pagerduty'),
    routingKey: describeSetting(secretSchema, 'the integration key of a service (Events API v2)'),
    region: describeOptional(defineChoice(['us', 'eu']), 'where the account is', 'us'),
    ...common,
  }),
  defineBlock({
    type: v.literal('smtp'),
    host: describeSetting(textSchema, 'the mail server'),
    port: describeOptional(
      defineWholeNumber(1, 65_535),
      'its port; at 465 TLS comes first, elsewhere by STARTTLS',
      587,
    ),
    user: describeOptional(secretSchema, 'the account, where the server wants one'),
    password: describeOptional(secretSchema, 'its password'),
    from: describeSetting(mailAddressSchema, 'the sender'),
    to: describeSetting(defineList(mailAddressSchema), 'the recipients'),
    attach: describeOptional(
      defineChoice(['page', 'workbook']),
      'the report that comes with each message: `page` (`index.html`) or `workbook` (`muster.xlsx`), up to 7 MB',
    ),
    weekly: describeOptional(flagSchema, 'one summary a week, and errors at once, whatever `alerts.quiet` says', false),
    ...common,
  }),
] as const;

export const channelTypes = channelSchemas.map(({ entries }) => entries.type.literal);

const channelSchema = v.variant('type', channelSchemas, `must be one of ${channelTypes.join(', ')}`);

type NamedChannel = Pick<ChannelSettings, 'name' | 'type'>;

export const channelsSchema = v.pipe(
  v.array(channelSchema, 'must be a list of channels'),
  v.checkItems(
    (channel, _, all) => !needsName(channel, all),
    ({ input: { type } }) => `another channel is ${type} too: give each a name`,
  ),
  v.checkItems(
    (channel, index, all) =>
      needsName(channel, all) || !all.slice(0, index).some((other) => isNamedAlike(channel, other)),
    ({ input: { name, type } }) => `is "${name ?? type}", which is the name of another channel`,
  ),
);

function needsName({ name, type }: NamedChannel, all: readonly NamedChannel[]): boolean {
  return name === undefined && all.filter((other) => other.type === type).length > 1;
}

/** Some file systems take names for the same that differ only in case. */
function isNamedAlike(...pair: readonly [NamedChannel, NamedChannel]): boolean {
  const [one, other] = pair.map(({ name, type }) => (name ?? type).toLowerCase());
  return one === other;
}

export type ChannelSettings = v.InferOutput<typeof channelSchema>;
