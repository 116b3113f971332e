/** The shape of `muster.yaml`, apart from its sources, whose kinds bring their own (see `sources.ts`). */
import * as v from 'valibot';
import { dateSchema, defineNumber, defineOptionalBlock, defineWholeNumber, textSchema } from './fields.ts';
import { findScheduleProblems } from './schedule.ts';
import { secretSchema } from './secret-references.ts';
import { defineBlock, defineChoice } from './sentences.ts';
import { baseUrlSchema } from './urls.ts';

const agentSchema = defineOptionalBlock({ name: v.optional(textSchema, 'Endpoint agent') });

const retentionSchema = defineOptionalBlock({ nights: v.optional(defineWholeNumber(1, 4000), 400) });

const breakerSchema = defineOptionalBlock({
  maximumFleetDropPercent: v.optional(defineNumber(0, 100), 20),
  maximumFlipPercent: v.optional(defineNumber(0, 100), 20),
  minimumDevices: v.optional(defineWholeNumber(0), 10),
});

const policySchema = defineOptionalBlock({
  staleAfterDays: v.optional(defineNumber(0, 3650), 30),
  windowsStateMaxAgeDays: v.optional(defineNumber(0, 3650)),
  graceHours: v.optional(defineNumber(0, 87_600), 72),
  overdueAfterDays: v.optional(defineNumber(0, 3650), 14),
  minimumCoverage: v.optional(defineNumber(0, 100)),
  breaker: breakerSchema,
});

const topicArnSchema = v.pipe(
  textSchema,
  v.regex(
    /^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:\S+$/,
    'must be a topic such as arn:aws:sns:eu-west-1:123456789012:muster',
  ),
);

const channelSchema = v.variant(
  'type',
  [
    defineBlock({ type: v.literal('sns'), topicArn: topicArnSchema }),
    defineBlock({ type: v.literal('eventbridge'), busName: v.optional(textSchema), source: v.optional(textSchema) }),
    defineBlock({ type: v.literal('slack'), url: secretSchema }),
    defineBlock({ type: v.literal('teams'), url: secretSchema }),
    defineBlock({ type: v.literal('webhook'), url: secretSchema, key: v.optional(secretSchema) }),
  ],
  'must be one of sns, eventbridge, slack, teams, webhook',
);

const alertsSchema = defineOptionalBlock({
  channels: v.optional(v.array(channelSchema, 'must be a list of channels'), () => []),
  reportUrl: v.optional(baseUrlSchema),
  heartbeat: v.optional(secretSchema),
});

const scheduleSchema = v.pipe(
  defineOptionalBlock({ cron: v.optional(textSchema, '15 5 * * *'), timezone: v.optional(textSchema, 'UTC') }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) {
      return;
    }
    for (const { key, message } of findScheduleProblems(dataset.value)) {
      const path = { type: 'object', origin: 'value', input: dataset.value, key, value: dataset.value[key] } as const;
      addIssue({ message, path: [path] });
    }
  }),
);

const privacySchema = v.pipe(
  defineOptionalBlock({
    users: v.optional(defineChoice(['show', 'omit', 'hash']), 'show'),
    key: v.optional(secretSchema),
  }),
  v.check(
    ({ users, key }) => users !== 'hash' || key !== undefined,
    'users: hash needs key, a reference to a secret such as env:NAME',
  ),
);

const deploymentSchema = defineOptionalBlock({
  identity: v.optional(defineChoice(['email', 'directory'])),
  service: v.optional(baseUrlSchema),
  macos: defineOptionalBlock({
    applicationFolder: v.optional(textSchema),
    applicationIdentifier: v.optional(textSchema),
    teamIdentifier: v.optional(textSchema),
    policy: v.optional(textSchema),
    script: v.optional(textSchema),
    profiles: defineOptionalBlock({ extension: v.optional(textSchema), fileAccess: v.optional(textSchema) }),
    tools: v.optional(v.boolean('must be true or false'), false),
  }),
  windows: defineOptionalBlock({
    vendorFolder: v.optional(textSchema),
    platformFolder: v.optional(textSchema),
    circleId: v.optional(textSchema),
    memberRoleId: v.optional(textSchema),
    groups: v.optional(v.array(textSchema, 'must be a list of group ids or names')),
  }),
  attested: v.optional(v.record(v.string(), dateSchema), () => ({})),
  accepted: v.optional(
    v.array(
      defineBlock({
        sha256: v.pipe(
          v.string('must be 64 hex digits'),
          v.regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits'),
          v.toLowerCase(),
        ),
        // The finding suggests a line with this text; a person must replace it.
        by: v.pipe(textSchema, v.notValue('YOUR NAME', 'must be the name of the person who read it')),
        on: dateSchema,
      }),
      'must be a list of accepted scripts and detection rules',
    ),
    () => [],
  ),
});

const storeSchema = v.pipe(
  textSchema,
  v.check(
    (value) => !value.includes('://') || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/.test(value),
    'must be a folder or s3://bucket/prefix',
  ),
);

const settingsBlock = defineBlock({
  agent: agentSchema,
  sources: v.pipe(v.array(v.unknown(), 'must be a list of sources'), v.minLength(1, 'must name at least one source')),
  store: storeSchema,
  audit: v.optional(storeSchema),
  retention: retentionSchema,
  policy: policySchema,
  exemptions: v.optional(textSchema),
  alerts: alertsSchema,
  schedule: scheduleSchema,
  privacy: privacySchema,
  deployment: deploymentSchema,
});

export const settingsSchema = v.pipe(
  settingsBlock,
  v.forward(
    v.check(
      ({ store, audit }) => audit === undefined || trimSlashes(audit) !== trimSlashes(store),
      'is the store itself; name another bucket or folder, best one that Muster may not change',
    ),
    ['audit'],
  ),
);

function trimSlashes(place: string): string {
  return place.replace(/^\.\//, '').replace(/\/+$/, '');
}

/** Every setting that does not depend on a kind of source. */
export type SharedSettings = Omit<v.InferOutput<typeof settingsSchema>, 'sources'>;
