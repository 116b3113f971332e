/** The state machine of `aws.tenants`, as moto plays it: what it starts, what it counts, and what it fails for. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { isOnPath, needProgram } from '../needs.ts';
import { type Invoked, type StateMachines, startStateMachines } from '../peers/state-machine.ts';
import { asTask, asTenants, stackOf, withTenants } from './example.ts';
import { makeStack } from './template.ts';

if (isOnPath('moto_server')) {
  describe('the state machine, played by moto,', playMachine);
} else {
  test('the state machine, played by moto', ({ skip }) => needProgram(skip, 'moto_server'));
}

interface Machine {
  readonly Definition: object;
  readonly DefinitionSubstitutions: Readonly<Record<string, string>>;
}

/** With its substitutions, as the stack would make it. */
function definitionOf(yaml: string): object {
  const { TenantMachine } = makeStack(stackOf(yaml));
  const { Definition, DefinitionSubstitutions } = (TenantMachine as { Properties: Machine }).Properties;
  const text = JSON.stringify(Definition).replace(
    /\$\{(\w+)\}/g,
    (_whole, name) => DefinitionSubstitutions[name] ?? '',
  );
  return JSON.parse(text) as object;
}

/** As the schedules of the stack say it. */
function inputOf(schedule: string, yaml = withTenants): Record<string, unknown> {
  const { Properties } = makeStack(stackOf(yaml))[schedule] ?? {};
  const { Target } = Properties as { Target: { Input: string } };
  return JSON.parse(Target.Input.replaceAll('<aws.scheduler.scheduled-time>', '2026-11-20T05:15:00Z'));
}

const acme = 'settings/tenants/acme.yaml';
const contoso = 'settings/tenants/contoso.yaml';
const deployed = [acme, contoso, 'settings/tenants/acme/exemptions.csv', 'settings/muster.yaml'];

interface TaskParameters {
  readonly Overrides: { readonly ContainerOverrides: readonly { readonly Command: readonly string[] }[] };
}

/** Moto runs no task of ECS: a function gets what a task would, and answers in its words. All else is as it is. */
function withFunctionForTask(definition: object): object {
  const change = (_key: string, value: unknown) => {
    const state = value as { Resource?: string; Parameters?: object } | null;
    return state?.Resource?.endsWith('ecs:runTask.sync')
      ? {
          ...state,
          Resource: 'arn:aws:states:::lambda:invoke',
          Parameters: { FunctionName: 'task', Payload: state.Parameters },
          ResultSelector: { 'task.$': '$.Payload' },
        }
      : value;
  };
  return JSON.parse(JSON.stringify(definition, change)) as object;
}

function playMachine(): void {
  let machines: StateMachines;
  let events: Record<string, unknown>[];
  let invoked: (settings: string, event: unknown) => Invoked;

  beforeAll(async () => {
    machines = await startStateMachines({
      bucket: 'acme-muster',
      invoke: async (event) => {
        events.push(event);
        return invoked(String(event.settings), event);
      },
    });
  });
  afterAll(() => machines.close());
  beforeEach(() => {
    events = [];
    invoked = () => ({ returned: { exit: 0 } });
  });

  const run = (schedule: string, keys = deployed) =>
    machines.execute(definitionOf(withTenants), inputOf(schedule), keys);
  const settingsOf = () => events.map(({ settings }) => settings).sort();
  const fails = (settings: string, exit: number) => (given: string) =>
    given === settings ? { returned: { exit } } : { returned: { exit: 0 } };

  it('runs every tenant once, no other file, and waits for the last healing where one is incomplete', async () => {
    invoked = fails(contoso, 3);
    expect(await run('TenantSchedule')).toMatchObject({ status: 'SUCCEEDED' });
    expect(settingsOf()).toEqual([acme, contoso]);
    expect(events).toEqual(events.map(({ settings }) => ({ scheduledTime: '2026-11-20T05:15:00Z', settings })));
    expect(await run('TenantHealingSchedule2')).toMatchObject({
      status: 'FAILED',
      cause: expect.stringContaining(`1 of 2 tenants were published and complete. Incomplete: ["${contoso}"].`),
    });
    expect(
      ['TenantSchedule', 'TenantHealingSchedule1', 'TenantVerifySchedule'].map((name) => inputOf(name)),
    ).toMatchObject([
      { mustBeComplete: false },
      { mustBeComplete: false },
      { mustBeComplete: true, event: { verify: true }, command: 'verify' },
    ]);
  });

  it('fails by the name of the tenant whose run fails three times, after every other one has run', async () => {
    // What another run published meanwhile is published.
    invoked = (settings) =>
      settings === acme
        ? { errorType: 'MusterError', errorMessage: 'The settings are wrong. [settings-invalid]' }
        : { returned: { exit: 4 } };
    expect(await run('TenantSchedule')).toMatchObject({
      ...{ status: 'FAILED', error: 'TenantsFailed' },
      cause: expect.stringContaining(
        `1 of 2 tenants were published and complete. Incomplete: []. Failed: ["${acme}"].`,
      ),
    });
    expect(settingsOf()).toEqual([acme, acme, acme, contoso]);
  });

  /** What Step Functions would give to ECS, and what it says of a task that ended with this code. */
  const asContainers = (exitCode: (settings: string) => number) => (_settings: string, event: unknown) => {
    const { ContainerOverrides } = (event as TaskParameters).Overrides;
    const code = exitCode(ContainerOverrides[0]?.Command.at(-1) ?? '');
    const ended = { LastStatus: 'STOPPED', Containers: [{ Name: 'muster', ExitCode: code }] };
    return code === 0 ? { returned: ended } : { errorType: 'TaskFailed', ...ended };
  };

  it('as a task, runs the command line with the tenant’s settings, and goes by its exit code', async () => {
    const yaml = asTenants(asTask);
    invoked = asContainers((settings) => (settings.endsWith(acme) ? 3 : 4));
    const input = inputOf('TenantVerifySchedule', yaml);
    expect(await machines.execute(withFunctionForTask(definitionOf(yaml)), input, deployed)).toMatchObject({
      status: 'FAILED',
      cause: expect.stringContaining(
        `1 of 2 tenants were published and complete. Incomplete: ["${acme}"]. Failed: [].`,
      ),
    });
    const overrides = (events as unknown as TaskParameters[]).map(({ Overrides }) => Overrides.ContainerOverrides);
    const containers = [acme, contoso].map((key) => [
      {
        ...{ Name: 'muster', Command: ['verify', '--settings', `s3://acme-muster/${key}`] },
        Environment: [{ Name: 'MUSTER_SCHEDULED_TIME', Value: '2026-11-20T05:15:00Z' }],
      },
    ]);
    expect(overrides).toHaveLength(2);
    expect(overrides).toEqual(expect.arrayContaining(containers));
  });

  it('fails where a file that was deployed is gone, though all that are there were published', async () => {
    expect(await run('TenantSchedule', [acme])).toMatchObject({
      status: 'FAILED',
      cause: expect.stringContaining('1 of 2 tenants were published and complete. Incomplete: []. Failed: [].'),
    });
    invoked = (settings) =>
      settings.includes('other')
        ? { errorType: 'MusterError', errorMessage: '[settings-changed]' }
        : { returned: { exit: 0 } };
    expect(await run('TenantSchedule', [...deployed, 'settings/tenants/other.yaml'])).toMatchObject({
      status: 'FAILED',
      cause: expect.stringContaining('2 of 2'),
    });
  });
}
