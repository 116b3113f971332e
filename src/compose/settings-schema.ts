/** The shape of `muster.yaml`, apart from its sources, whose kinds bring their own (see `sources.ts`). */
import * as v from 'valibot';
import { channelsSchema } from '../alerts/channel-kinds.ts';
import { deploymentSchema } from '../deployment/settings.ts';
import { awsSchema } from '../settings/aws.ts';
import {
  defineBlock,
  defineChoice,
  defineForm,
  defineNumber,
  defineOptionalBlock,
  defineWholeNumber,
  describeOptional,
  describeOptionalText,
  describeSetting,
  flagSchema,
  refuse,
  textSchema,
} from '../settings/fields.ts';
import { listsSchema } from '../settings/lists.ts';
import type { HealedSchedule } from '../settings/schedule/later-starts.ts';
import { findCronProblem, findTimezoneProblem } from '../settings/schedule/schedule.ts';
import { secretSchema } from '../settings/secret-references.ts';
import { baseUrlSchema } from '../settings/urls.ts';

const policySchema = defineOptionalBlock({
  staleAfterDays: describeDays('an answer older than this, or of unknown age, proves nothing', 30),
  windowsStateMaxAgeDays: describeDays('a Windows state older than this by its own date proves nothing'),
  windowsRepairDays: describeDays(
    'a Windows state whose own date has not moved since a repair proves something again after this many days',
    30,
  ),
  graceHours: describeOptional(
    defineNumber(0, 87_600),
    'a device that was enrolled less than this ago raises no alert',
    72,
  ),
  overdueAfterDays: describeDays('from this many days on, a device that is Not Installed is overdue', 14),
  minimumCoverage: describePercent('percent; an alert opens when fewer certainly have the agent'),
  patienceMinutes: describeOptional(
    defineNumber(0, 120),
    'how long a run waits in total for failures of one source that pass by themselves (HTTP 5xx and 429, time-outs, resets), at most half of the time that the run has left; a name that does not resolve and a refused connection get one minute',
    10,
  ),
  reportingWithinDays: describeDays(
    'an Installed device that its console has not seen for longer is not checking in (`lists.reporting`)',
    7,
  ),
  breaker: defineOptionalBlock({
    maximumFleetDropPercent: describePercent('when more counted devices than this are gone, the source is suspect', 20),
    maximumFlipPercent: describePercent('when more devices than this changed their status, the source is suspect', 20),
    minimumDevices: describeOptional(defineWholeNumber(0), 'and at least this many devices', 10),
  }),
});

const alertsSchema = defineOptionalBlock({
  channels: describeOptional(channelsSchema, 'where messages are sent ([alerts.md](alerts.md))', () => []),
  reportUrl: describeOptional(
    baseUrlSchema,
    'base of links in messages; without it the S3 console, or the folder’s path',
  ),
  heartbeat: describeOptional(secretSchema, 'an address that is called when a run begins, ends or fails'),
  heartbeatFailsOn: describeOptional(
    v.array(describeSetting(defineChoice(['unsound', 'undelivered']), '`unsound`, `undelivered`'), 'must be a list'),
    'what the heartbeat reports as a failure, besides a run that failed: a source that was not complete and sound, a message that was not delivered',
    () => ['undelivered' as const],
  ),
  quiet: describeOptional(
    flagSchema,
    'people get one summary a week, and errors at once; programs get everything at once',
    false,
  ),
  everyNight: describeOptional(
    flagSchema,
    'people get a message of every run, also where nobody has to do anything; not with `quiet`, and a channel with `only` where an event is for it',
    false,
  ),
});

function describeDays<const Default extends number | undefined = undefined>(meaning: string, standard?: Default) {
  return describeOptional(defineNumber(0, 3650), meaning, standard);
}

function describePercent<const Default extends number | undefined = undefined>(meaning: string, standard?: Default) {
  return describeOptional(defineNumber(0, 100), meaning, standard);
}

/** Hours after the night; each is a start of its own, and the longest leaves time before the next night. */
const healAfterHoursSchema = v.pipe(
  v.array(defineWholeNumber(1, 20), 'must be a list of hours such as [2, 5], or [] for none'),
  v.maxLength(4, 'must be at most four hours'),
  v.transform((hours) => [...new Set(hours)].sort((one, other) => one - other)),
);

export const cronSchema = v.pipe(textSchema, refuse(findCronProblem));
export const timezoneSchema = v.pipe(textSchema, refuse(findTimezoneProblem));

const scheduleSchema = defineOptionalBlock({
  cron: describeOptional(cronSchema, 'when runs start, in cron syntax; at most once a date', '15 5 * * *'),
  timezone: describeOptional(timezoneSchema, 'its time zone, an IANA name', 'UTC'),
  healAfterHours: describeOptional(
    healAfterHoursSchema,
    'so many hours later, a source that could not be read is asked again for the run of the same date; with `[]` only as `muster schedule` starts',
    () => [2, 5],
  ),
});

export const defaultSchedule: HealedSchedule = v.parse(scheduleSchema, undefined);

const retentionSchema = defineOptionalBlock({
  nights: describeOptional(
    defineWholeNumber(1, 4000),
    'runs to keep, one a night; older ones are removed whole. Where a changed limit removes more than one at once, they are held back until `muster prune --confirm`',
    400,
  ),
});

export const defaultRetention = v.parse(retentionSchema, undefined);

const privacySchema = v.pipe(
  defineOptionalBlock({
    users: describeOptional(
      defineChoice(['show', 'omit', 'hash']),
      'how facts and reports show users: `show`, `omit`, or `hash` (HMAC-SHA-256; needs `privacy.key`)',
      'show',
    ),
    key: describeOptional(secretSchema, 'the key of `hash`'),
  }),
  v.check(
    ({ users, key }) => users !== 'hash' || key !== undefined,
    'users: hash needs key, a reference to a secret such as env:NAME',
  ),
);

const bucketAddress = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/;
/** Matches a mistyped address of a bucket, which would otherwise become a folder's name. A letter and a colon is a drive. */
const likeAnAddress = /:\/\/|^[\w.+-]*\/\/|^[\w+-]{2,}:|^[^./][^/]*\.amazonaws\.com\b/i;

export const storeSchema = v.pipe(
  textSchema,
  v.check((value) => bucketAddress.test(value) || !likeAnAddress.test(value), 'must be a folder or s3://bucket/prefix'),
);

const signingSchema = defineForm(
  /^(kms:arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+|file:.+)$/,
  'must be kms:KEY_ARN (arn:aws:kms:REGION:ACCOUNT:key/ID) or file:KEY',
);

const settingsBlock = defineBlock({
  agent: defineOptionalBlock({
    name: describeOptional(textSchema, 'the agent’s name in reports', 'Endpoint agent'),
  }),
  sources: describeSetting(
    v.pipe(v.array(v.unknown(), 'must be a list of sources'), v.minLength(1, 'must name at least one source')),
    'the platforms to ask: below',
  ),
  store: describeSetting(storeSchema, 'where runs are kept: a folder, or `s3://bucket/prefix`'),
  audit: describeOptional(
    storeSchema,
    '`s3://bucket/prefix`, best with Object Lock ([aws.md](aws.md)), or a folder: every commit is written there too',
  ),
  signing: describeOptional(
    signingSchema,
    'the key that signs every commit: `kms:KEY_ARN` (AWS KMS, `ECC_NIST_P256`), or `file:KEY` (an Ed25519 private key in PEM); [keeping.md](keeping.md) says how signatures are checked',
  ),
  publicKeys: describeOptionalText(
    'the path of a file with the public keys that commits are checked with, each from the number of a commit on; required beside `signing`. `muster check` prints the lines to write there ([keeping.md](keeping.md#signing))',
  ),
  retention: retentionSchema,
  policy: policySchema,
  exemptions: describeOptionalText('the path of a CSV file: `match,value,source,reason,owner,expires` (below)'),
  acknowledged: describeOptionalText(
    'the path of a CSV file: `serial,by,until,ticket,note`; a device in it is not named in reminders until then, and counts as before',
  ),
  lists: listsSchema,
  alerts: alertsSchema,
  notes: describeOptionalText(
    'the path of a CSV file with the columns `date,text`: its rows mark the trend on the page',
  ),
  schedule: scheduleSchema,
  privacy: privacySchema,
  deployment: deploymentSchema,
  aws: awsSchema,
});

export const settingsSchema = v.pipe(
  settingsBlock,
  v.forward(
    v.check(
      ({ signing, publicKeys }) => signing === undefined || publicKeys !== undefined,
      'is missing beside signing; name a file such as public-keys.pem, and muster check prints the lines to write there',
    ),
    ['publicKeys'],
  ),
);

/** All settings that do not depend on a kind of source. */
export type SharedSettings = Omit<v.InferOutput<typeof settingsSchema>, 'sources'>;
