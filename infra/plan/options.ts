/**
 * Settings that options of `npm run deploy` also say. `muster.yaml` decides; an option counts where it says nothing, and
 * what an option said once stays deployed until `muster.yaml` says something else. Pure.
 */
import * as v from 'valibot';
import { type AwsSettings, awsSchema } from '../../src/settings/aws.ts';

/** The values where nobody has said anything. */
export const standardOptions = { alarmEmail: '', reservedConcurrency: '0', auditMode: 'GOVERNANCE', auditDays: '400' };

type OptionName = keyof typeof standardOptions;

const optionNames = Object.keys(standardOptions) as OptionName[];

export type GivenOptions = Readonly<Partial<Record<OptionName, string>>>;

export interface SettledOptions {
  readonly values: Readonly<Record<OptionName, string>>;
  /** Of these, those that only an option has ever said. */
  readonly setByOptions: GivenOptions;
  /** What a person should know. */
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

/** `kept` are those that an option of an earlier deployment said. */
export function settleOptions(aws: AwsSettings, given: GivenOptions, kept: GivenOptions): SettledOptions {
  const notes: string[] = [];
  const setByOptions: Partial<Record<OptionName, string>> = {};
  const settle = (name: OptionName): string => {
    const standard = standardOptions[name];
    const said = aws[name];
    if (said !== undefined) {
      return toValue(said);
    }
    const option = given[name];
    const value = option === undefined ? (kept[name] ?? standard) : toValue(option);
    if (value !== standard) {
      setByOptions[name] = value;
      notes.push(`aws.${name}: ${value}, as an option said. Write it into the settings: aws: { ${name}: ${value} }`);
    }
    return value;
  };
  const values = Object.fromEntries(optionNames.map((name) => [name, settle(name)])) as SettledOptions['values'];
  return {
    values,
    setByOptions,
    notes,
    problems: optionNames.flatMap((name) => findOptionProblems(aws, name, given[name])),
  };
}

/** `none` is how the settings take an e-mail address away. */
function toValue(value: string | number): string {
  return value === 'none' ? '' : String(value);
}

/** Why an option cannot count: the settings say something else, or would not allow it. */
function findOptionProblems(
  aws: Partial<AwsSettings>,
  name: OptionName | 'region' | 'stage',
  value: string | undefined,
): string[] {
  if (value === undefined) {
    return [];
  }
  const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const said = aws[name];
  if (said !== undefined && toValue(said) !== toValue(value)) {
    return [
      `--${option} is ${value}, and aws.${name} in the settings is ${said}. Leave the option out, or change the settings.`,
    ];
  }
  const parsed = v.safeParse(awsSchema, { [name]: /^\d+$/.test(value) ? Number(value) : value });
  return parsed.success ? [] : [`--${option}: ${parsed.issues[0].message}.`];
}

export interface StackPlace {
  readonly region: string;
  readonly stage: string;
  readonly problems: readonly string[];
}

/** Which stack it is. An option that contradicts the settings would deploy a second one beside it. */
export function resolvePlace(
  aws: Pick<AwsSettings, 'region' | 'stage'>,
  given: { readonly region?: string | undefined; readonly stage?: string | undefined },
  environmentRegion: string | undefined,
): StackPlace {
  const region = aws.region ?? (given.region || environmentRegion);
  const problems = (['region', 'stage'] as const).flatMap((name) => findOptionProblems(aws, name, given[name]));
  return {
    region: region ?? '',
    stage: aws.stage ?? given.stage ?? 'prod',
    problems: region
      ? problems
      : [...problems, 'aws.region: is missing; it is where the stack is deployed, such as eu-west-1.'],
  };
}
