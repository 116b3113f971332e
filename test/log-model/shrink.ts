/** Makes a schedule that breaks something as small as it gets, by leaving things out. */
import type { Group, RunPlan, Schedule } from './schedule.ts';

export async function shrinkSchedule(
  schedule: Schedule,
  isStillBroken: (candidate: Schedule) => boolean | Promise<boolean>,
): Promise<Schedule> {
  let smallest = schedule;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of listSmaller(smallest)) {
      if (await isStillBroken(candidate)) {
        smallest = candidate;
        isSmaller = true;
        break;
      }
    }
  }
  return smallest;
}

/** One line for each run and turn. */
export function describeSchedule({ isSigned, hasAudit, groups }: Schedule): string {
  const settings = [isSigned ? 'signed' : '', hasAudit ? 'audit' : ''].filter((word) => word !== '').join(', ');
  const lines = groups.flatMap(({ runs, turns, unwritable }, index) => [
    `group ${index}${unwritable.length > 0 ? `, unwritable: ${unwritable.join()}` : ''}`,
    ...runs.map((plan, run) => `  run ${run}: ${describeRun(plan)}`),
    ...(turns.length > 0 ? [`  turns: ${turns.map(({ run, until }) => `${run} until ${until}`).join(', ')}`] : []),
  ]);
  return [settings, ...lines].filter((line) => line !== '').join('\n');
}

function describeRun({ kind, slot, clockDay, completeness, isSuspect, retention, fault }: RunPlan): string {
  const words = [
    `${kind} ${slot}`,
    ...(clockDay === slot ? [] : [`clock ${clockDay}`]),
    ...(completeness === 3 ? [] : [`completeness ${completeness}`]),
    ...(isSuspect ? ['suspect'] : []),
    `retention ${retention}`,
  ];
  const what = fault && `${fault.outcome} ${fault.isDone ? 'after' : 'before'}`;
  return [
    words.join(', '),
    ...(fault ? [`; ${what} ${fault.landmark} (section ${fault.section}, request ${fault.request})`] : []),
  ].join('');
}

function* listSmaller(schedule: Schedule): Generator<Schedule> {
  const { groups } = schedule;
  const withGroups = (changed: readonly Group[]): Schedule => ({ ...schedule, groups: changed });
  for (const index of groups.keys()) {
    yield withGroups(groups.toSpliced(index, 1));
  }
  for (const [index, group] of groups.entries()) {
    for (const smaller of listSmallerGroups(group)) {
      yield withGroups(groups.with(index, smaller));
    }
  }
  for (const key of ['isSigned', 'hasAudit'] as const) {
    if (schedule[key]) {
      yield { ...schedule, [key]: false };
    }
  }
}

function* listSmallerGroups(group: Group): Generator<Group> {
  const { runs, turns, unwritable } = group;
  for (const run of runs.length > 1 ? runs.keys() : []) {
    const others = turns.filter((turn) => turn.run !== run);
    yield {
      ...group,
      runs: runs.toSpliced(run, 1),
      turns: others.map((turn) => ({ ...turn, run: turn.run > run ? turn.run - 1 : turn.run })),
    };
  }
  for (const index of turns.keys()) {
    yield { ...group, turns: turns.toSpliced(index, 1) };
  }
  if (unwritable.length > 0) {
    yield { ...group, unwritable: [] };
  }
  for (const [index, plan] of runs.entries()) {
    for (const smaller of listSmallerRuns(plan)) {
      yield { ...group, runs: runs.with(index, smaller) };
    }
  }
}

function* listSmallerRuns(plan: RunPlan): Generator<RunPlan> {
  const { fault: _fault, ...rest } = plan;
  const changes: RunPlan[] = [
    ...(plan.fault === undefined ? [] : [rest]),
    ...(plan.isSuspect ? [{ ...plan, isSuspect: false }] : []),
    ...(plan.completeness < 3 ? [{ ...plan, completeness: 3 }] : []),
    ...(plan.clockDay === plan.slot ? [] : [{ ...plan, clockDay: plan.slot }]),
    ...(plan.kind === 'scheduled' || plan.kind === 'heal' ? [{ ...plan, kind: 'run' as const }] : []),
    ...(plan.retention < 9 ? [{ ...plan, retention: 9 }] : []),
  ];
  yield* changes;
}
