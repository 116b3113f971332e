/** Settings that an option of a deployment also says: what is deployed, and where. */
import { describe, expect, it } from 'vitest';
import { resolvePlace, settleOptions } from '../../infra/plan/options.ts';
import { settingsOf } from './example.ts';

const awsOf = (aws: string) =>
  settingsOf(`
sources: [{ name: macs, platform: jamf, url: https://example.com, auth: { clientId: a, clientSecret: env:S }, extensionAttribute: A }]
store: s3://acme-muster
aws: { ${aws} }
`).aws;

const standard = { alarmEmail: '', reservedConcurrency: '0', auditMode: 'GOVERNANCE', auditDays: '400' };
const optioned = { alarmEmail: 'a@example.com', reservedConcurrency: '2', auditMode: 'COMPLIANCE', auditDays: '800' };

describe('what is deployed', () => {
  it('is the standard where nobody has said anything', () => {
    expect(settleOptions(awsOf(''), {}, {})).toEqual({
      ...{ values: standard, setByOptions: {}, notes: [], problems: [] },
    });
  });

  it('is what the settings say, whatever is deployed', () => {
    const aws = awsOf('alarmEmail: b@example.com, reservedConcurrency: 3, auditMode: GOVERNANCE, auditDays: 90');
    const kept = { alarmEmail: 'a@example.com', auditDays: '800' };
    expect(settleOptions(aws, {}, kept)).toEqual({
      values: { alarmEmail: 'b@example.com', reservedConcurrency: '3', auditMode: 'GOVERNANCE', auditDays: '90' },
      ...{ setByOptions: {}, notes: [], problems: [] },
    });
  });

  it('is what an option says where the settings say nothing', () => {
    const given = { alarmEmail: 'a@example.com', auditDays: '800' };
    const settled = settleOptions(awsOf('auditMode: COMPLIANCE'), given, {});
    expect(settled).toMatchObject({
      values: { ...standard, alarmEmail: 'a@example.com', auditMode: 'COMPLIANCE', auditDays: '800' },
      setByOptions: given,
    });
    expect(settled.notes[0]).toContain('Write it into the settings: aws: { alarmEmail: a@example.com }');
  });

  it('stays what an option said once, when the next deployment comes without it', () => {
    const { values, setByOptions, notes } = settleOptions(awsOf(''), {}, optioned);
    expect(values).toEqual(optioned);
    expect(setByOptions).toEqual(optioned);
    expect(notes).toHaveLength(4);
  });

  it('goes back to the standard when a line is taken out of the settings', () => {
    expect(settleOptions(awsOf(''), {}, {}).values).toEqual(standard);
  });

  it('is nobody’s address any more where the settings say none', () => {
    expect(settleOptions(awsOf('alarmEmail: none'), {}, optioned).values.alarmEmail).toBe('');
    expect(settleOptions(awsOf(''), { alarmEmail: 'none' }, optioned).values.alarmEmail).toBe('');
  });
});

describe('an option is refused', () => {
  it.each([
    [
      'that contradicts the settings',
      'auditDays: 90',
      { auditDays: '400' },
      '--audit-days is 400, and aws.auditDays in the settings is 90.',
    ],
    ['that is no value of the setting', '', { auditDays: 'x' }, '--audit-days: must be a number from 1 to 36500.'],
  ])('%s', (_, aws, given, problem) => {
    expect(settleOptions(awsOf(aws), given, {}).problems).toEqual([expect.stringContaining(problem)]);
  });

  it('only where it differs', () => {
    expect(settleOptions(awsOf('auditDays: 90'), { auditDays: '90' }, {}).problems).toEqual([]);
  });
});

describe('the stack’s place', () => {
  it.each([
    ['is in the settings', 'region: eu-central-1, stage: test', {}, undefined, 'eu-central-1', 'test'],
    ['is said by options', '', { region: 'us-east-1', stage: 'lab' }, 'eu-west-1', 'us-east-1', 'lab'],
    ['is the environment’s region', '', {}, 'eu-west-1', 'eu-west-1', 'prod'],
  ])('%s', (_, aws, given, environment, region, stage) => {
    expect(resolvePlace(awsOf(aws), given, environment)).toEqual({ region, stage, problems: [] });
  });

  it.each([
    ['unknown', '', {}, 'aws.region: is missing'],
    [
      'contradicted',
      'region: eu-west-1',
      { region: 'eu-west-2' },
      '--region is eu-west-2, and aws.region in the settings is eu-west-1.',
    ],
  ])('is refused where it is %s', (_, aws, given, problem) => {
    expect(resolvePlace(awsOf(aws), given, undefined).problems).toEqual([expect.stringContaining(problem)]);
  });
});
