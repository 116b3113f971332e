/** The registry of channels, from which settings, their documents and the wiring follow. To add one: its file and a line here. */
import * as v from 'valibot';
import { describeUnknownWord } from '../settings/fields.ts';
import type { ChannelContext } from './channel-kind.ts';
import { eventBridgeChannel } from './channels/eventbridge.ts';
import { graphMailChannel } from './channels/graph-mail.ts';
import { pagerDutyChannel } from './channels/pagerduty.ts';
import { slackChannel } from './channels/slack.ts';
import { smtpChannel } from './channels/smtp.ts';
import { snsChannel } from './channels/sns.ts';
import { teamsChannel } from './channels/teams.ts';
import { webhookChannel } from './channels/webhook.ts';

export const channelKinds = [
  snsChannel,
  eventBridgeChannel,
  slackChannel,
  teamsChannel,
  webhookChannel,
  pagerDutyChannel,
  smtpChannel,
  graphMailChannel,
];

const channelSchema = v.variant(
  'type',
  channelKinds.map(({ schema }) => schema),
  ({ input }) =>
    describeUnknownWord(
      String(input),
      channelKinds.map(({ type }) => type),
    ),
);

export type ChannelSettings = v.InferOutput<typeof channelSchema>;

interface AnyChannelKind {
  readonly deliveryKeys?: readonly string[];
  listAudiences?(settings: ChannelSettings): readonly string[];
  open(settings: ChannelSettings, context: ChannelContext): ReturnType<(typeof channelKinds)[number]['open']>;
}

export function findChannelKind(type: ChannelSettings['type']): AnyChannelKind {
  // The schema of the settings allows no other types.
  return channelKinds.find((kind) => kind.type === type) as AnyChannelKind;
}

type NamedChannel = Pick<ChannelSettings, 'name' | 'type'>;

export const channelsSchema = v.pipe(
  v.array(channelSchema, 'must be a list of channels'),
  v.checkItems(
    (channel) => !('auth' in channel && 'password' in channel),
    'has both auth and password: leave the password out',
  ),
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

/** Names that differ only in case are alike, as they are the same file name on some file systems. */
function isNamedAlike(...pair: readonly [NamedChannel, NamedChannel]): boolean {
  const [one, other] = pair.map(({ name, type }) => (name ?? type).toLowerCase());
  return one === other;
}
