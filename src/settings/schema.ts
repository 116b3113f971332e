/** The shape of `muster.yaml`, apart from its sources, whose kinds bring their own (see `sources.ts`). */
import * as v from 'valibot';
import { date, number, optionalBlock, text, wholeNumber } from './fields.ts';
import { secretSchema } from './references.ts';
import { scheduleProblems } from './schedule.ts';
import { block, choice } from './sentences.ts';
import { baseUrlSchema } from './urls.ts';

const agent = optionalBlock({ name: v.optional(text, 'Endpoint agent') });

const retention = optionalBlock({ nights: v.optional(wholeNumber(1, 4000), 400) });

const breaker = optionalBlock({
  maximumFleetDropPercent: v.optional(number(0, 100), 20),
  maximumFlipPercent: v.optional(number(0, 100), 20),
  minimumDevices: v.optional(wholeNumber(0), 10),
});

const policy = optionalBlock({
  staleAfterDays: v.optional(number(0, 3650), 30),
  windowsStateMaxAgeDays: v.optional(number(0, 3650)),
  graceHours: v.optional(number(0, 87_600), 72),
  overdueAfterDays: v.optional(number(0, 3650), 14),
  minimumCoverage: v.optional(number(0, 100)),
  breaker,
});

const topicArn = v.pipe(
  text,
  v.regex(
    /^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:\S+$/,
    'must be a topic such as arn:aws:sns:eu-west-1:123456789012:muster',
  ),
);

const channel = v.variant(
  'type',
  [
    block({ type: v.literal('sns'), topicArn }),
    block({ type: v.literal('eventbridge'), busName: v.optional(text), source: v.optional(text) }),
    block({ type: v.literal('slack'), url: secretSchema }),
    block({ type: v.literal('teams'), url: secretSchema }),
    block({ type: v.literal('webhook'), url: secretSchema, key: v.optional(secretSchema) }),
  ],
  'must be one of sns, eventbridge, slack, teams, webhook',
);

const alerts = optionalBlock({
  channels: v.optional(v.array(channel, 'must be a list of channels'), () => []),
  reportUrl: v.optional(baseUrlSchema),
  heartbeat: v.optional(secretSchema),
});

const schedule = v.pipe(
  optionalBlock({ cron: v.optional(text, '15 5 * * *'), timezone: v.optional(text, 'UTC') }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const { key, message } of scheduleProblems(dataset.value)) {
      const path = { type: 'object', origin: 'value', input: dataset.value, key, value: dataset.value[key] } as const;
      addIssue({ message, path: [path] });
    }
  }),
);

const privacy = v.pipe(
  optionalBlock({ users: v.optional(choice(['show', 'omit', 'hash']), 'show'), key: v.optional(secretSchema) }),
  v.check(
    ({ users, key }) => users !== 'hash' || key !== undefined,
    'users: hash needs key, a reference to a secret such as env:NAME',
  ),
);

const deployment = optionalBlock({
  identity: v.optional(choice(['email', 'directory'])),
  service: v.optional(baseUrlSchema),
  macos: optionalBlock({
    applicationFolder: v.optional(text),
    applicationIdentifier: v.optional(text),
    teamIdentifier: v.optional(text),
    policy: v.optional(text),
    script: v.optional(text),
    profiles: optionalBlock({ extension: v.optional(text), fileAccess: v.optional(text) }),
    tools: v.optional(v.boolean('must be true or false'), false),
  }),
  windows: optionalBlock({
    vendorFolder: v.optional(text),
    platformFolder: v.optional(text),
    circleId: v.optional(text),
    memberRoleId: v.optional(text),
    groups: v.optional(v.array(text, 'must be a list of group ids or names')),
  }),
  attested: v.optional(v.record(v.string(), date), () => ({})),
  accepted: v.optional(
    v.array(
      block({
        sha256: v.pipe(
          v.string('must be 64 hex digits'),
          v.regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits'),
          v.toLowerCase(),
        ),
        // As the finding's line has it: nobody has signed.
        by: v.pipe(text, v.notValue('YOUR NAME', 'must be the name of whoever has read it')),
        on: date,
      }),
      'must be a list of accepted scripts and detection rules',
    ),
    () => [],
  ),
});

const store = v.pipe(
  text,
  v.check(
    (value) => !value.includes('://') || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/.test(value),
    'must be a folder or s3://bucket/prefix',
  ),
);

export const settingsSchema = block({
  agent,
  sources: v.pipe(v.array(v.unknown(), 'must be a list of sources'), v.minLength(1, 'must name at least one source')),
  store,
  audit: v.optional(v.pipe(text, v.startsWith('s3://', 'must be s3://bucket'))),
  retention,
  policy,
  exemptions: v.optional(text),
  alerts,
  schedule,
  privacy,
  deployment,
});

/** Everything in the settings that is the same for every kind of source. */
export type SharedSettings = Omit<v.InferOutput<typeof settingsSchema>, 'sources'>;
