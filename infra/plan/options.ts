/**
 * Settings that options of `npm run deploy` can give as well. `muster.yaml` takes precedence; an option counts where it
 * gives no value, and stays deployed until `muster.yaml` gives another. Pure.
 */
import * as v from 'valibot';
import { type AwsSettings, awsSchema } from '../../src/settings/aws.ts';

/** Values where neither the settings nor an option gives one. */
export const standardOptions = { alarmEmail: '', reservedConcurrency: '0', auditMode: 'GOVERNANCE', auditDays: '400' };

type OptionName = keyof typeof standardOptions;

const optionNames = Object.keys(standardOptions) as OptionName[];

export type GivenOptions = Readonly<Partial<Record<OptionName, string>>>;

export interface SettledOptions {
  readonly values: Readonly<Record<OptionName, string>>;
  /** Values that come from options of a deployment alone. */
  readonly setByOptions: GivenOptions;
  /** Sentences for the person who deploys. */
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

/** Settles the options; `kept` are those of earlier deployments. */
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

/** Converts a value; `none` in the settings removes an e-mail address. */
function toValue(value: string | number): string {
  return value === 'none' ? '' : String(value);
}

/** Reasons why an option cannot count: the settings give another value, or do not allow it. */
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

/** The stack's region and stage. An option that contradicts the settings would deploy a second stack. */
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
