/** Options of a deployment, each as the lines of settings that ask for it. */
import { type Deployment, planDeployment } from '../../infra/plan/deployment.ts';
import { settingsOf, target, tenantFiles } from './example.ts';

interface Lines {
  /** Below `sources`. */
  readonly sources?: string;
  /** At the left margin. */
  readonly top?: string;
  /** Below `aws`. */
  readonly aws?: string;
}

interface Option extends Lines {
  /** The option that this one is beside; without it, the least of all settings. */
  readonly beside?: string;
}

const other = '210987654321';
const key = `arn:aws:kms:eu-west-1:${other}:key/1234abcd`;
const channel = (line: string) => ({ top: `alerts: { channels: [${line}] }` });
const topic = 'arn:aws:sns:eu-west-1:123456789012:muster-prod-alerts';
const image = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/muster:1.0.0';

export const options: Readonly<Record<string, Option>> = {
  least: {},
  'store with a prefix': { top: 'store: s3://acme-muster/prod' },
  'store of another account': { aws: `reportBucket: { owner: "${other}" }` },
  'store of another account, under a key': {
    beside: 'store of another account',
    aws: `reportBucket: { owner: "${other}", key: "${key}" }`,
  },
  audit: { top: 'audit: s3://acme-muster-audit' },
  'audit with a prefix': { beside: 'audit', top: 'audit: s3://acme-muster-audit/a' },
  'audit under its own key': { beside: 'audit', aws: 'auditBucket: { key: own }' },
  'audit under a named key': { beside: 'audit', aws: `auditBucket: { key: "${key}" }` },
  'audit of another account': { beside: 'audit', aws: `auditBucket: { owner: "${other}", key: "${key}" }` },
  'audit that is locked': { beside: 'audit', aws: 'auditMode: COMPLIANCE\n  auditDays: 500' },
  signing: {
    top: 'signing: kms:arn:aws:kms:eu-west-1:123456789012:key/5555abcd-12ab-34cd-56ef-1234567890ab\npublicKeys: keys.pem',
  },
  'token for Entra': {
    sources: `
  - name: windows
    platform: intune
    tenantId: 11111111-2222-3333-4444-555555555555
    auth: { clientId: 22222222-2222-3333-4444-555555555555, federated: aws }
    app: 99999999-8888-7777-6666-555555555555`,
  },
  'parameter as secret': { top: 'alerts: { heartbeat: "aws-ssm:/muster/heartbeat" }' },
  'list in a bucket': { top: 'lists: { expected: [{ file: "s3://example-lists/apple.csv" }] }' },
  topic: channel(`{ type: sns, topicArn: "${topic}" }`),
  bus: channel('{ type: eventbridge }'),
  schedule: { top: 'schedule: { cron: "15 5 * * 1-5", timezone: Europe/London }' },
  'schedule that heals once': { top: 'schedule: { cron: "15 5 * * *", timezone: Europe/London, healAfterHours: [3] }' },
  'nights that are kept': { top: 'retention: { nights: 30 }' },
  'address of alarms': { aws: 'alarmEmail: ops@example.com' },
  'concurrency that is reserved': { aws: 'reservedConcurrency: 1' },
  'size and time': { aws: 'memory: 4096\n  timeout: 600' },
  network: { aws: 'vpc: { subnets: [subnet-0a1b2c3d, subnet-0a1b2c3e], securityGroups: [sg-0a1b2c3d] }' },
  proxy: { aws: 'proxy: { url: "http://proxy.example.com:3128", noProxy: [.amazonaws.com] }' },
  tags: { aws: 'tags: { costCentre: "4711" }' },
  boundary: { aws: 'permissionsBoundary: "arn:aws:iam::123456789012:policy/boundary"' },
  'days of logs': { aws: 'logRetention: 365' },
  'limit of queries': { aws: 'athenaCutoffGigabytes: 0.5' },
  deployers: { aws: 'deployers: ["arn:aws:iam::123456789012:role/ci/deploy"]' },
  task: { beside: 'network', aws: `compute: task\n  image: ${image}` },
  'task with a public image': { beside: 'task', aws: 'image: example.com/muster:1.0.0' },
  tenants: { beside: 'schedule', aws: 'tenants: { folder: tenants, concurrency: 3 }' },
  'tenants with an audit': { beside: 'tenants', top: 'audit: s3://acme-muster-audit' },
  'tenants as tasks': {
    beside: 'tenants',
    aws: `vpc: { subnets: [subnet-0a1b2c3d], securityGroups: [sg-0a1b2c3d] }\n  compute: task\n  image: ${image}`,
  },
};

/** The settings with an option: what a line says last of a name counts. */
export function settingsWith(name: string): string {
  const lines = listLines(name);
  const block = (part: 'top' | 'aws', first: string) => {
    const all = [first, ...lines.map((one) => one[part] ?? '')].join('\n').split('\n');
    const said = all.map((line) => line.trim()).filter((line) => line !== '');
    return [...new Map(said.map((line) => [line.slice(0, line.indexOf(':')), line])).values()];
  };
  const sources = lines.map((one) => one.sources ?? '').join('');
  const aws = block('aws', '').map((line) => `  ${line}\n`);
  return `sources:${leastSource}${sources}
${block('top', 'store: s3://acme-muster').join('\n')}
aws:${aws.length === 0 ? ' {}' : `\n${aws.join('')}`}
`;
}

const leastSource = `
  - name: macs
    platform: jamf
    url: https://example.jamfcloud.com
    auth: { clientId: reader, clientSecret: aws-secret:muster/jamf }
    extensionAttribute: Agent Status`;

function listLines(name: string): readonly Option[] {
  const option = options[name];
  if (option === undefined) {
    throw new Error(`there is no option ${name}`);
  }
  return name === 'least' ? [option] : [...listLines(option.beside ?? 'least'), option];
}

export function planOption(name: string): Deployment {
  const yaml = settingsWith(name);
  const body = (file: string) => Buffer.from(yaml.includes('\naudit: ') ? file : file.replace(/\naudit: .*/, ''));
  const files = yaml.includes('  tenants: ')
    ? tenantFiles.map((one) => ({ ...one, body: body(String(one.body)) }))
    : [];
  const { deployment, problems } = planDeployment(settingsOf(yaml), target, {}, files);
  if (deployment === undefined) {
    throw new Error(`${name}: ${problems.join('\n')}`);
  }
  return deployment;
}
