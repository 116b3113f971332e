/** Schedules of honest runs in which the text, as it is written, leaves something wrong: `readings.md` names each. */
import type { Fault, RunKind, RunPlan, Schedule } from './schedule.ts';

export function planRun(kind: RunKind, slot: number, changes: Partial<RunPlan> = {}): RunPlan {
  return { kind, slot, clockDay: slot, completeness: 3, isSuspect: false, retention: 9, ...changes };
}

export function planAlone(run: RunPlan): Schedule['groups'][number] {
  return { runs: [run], turns: [], unwritable: [] };
}

/** A slow run puts `latest.json` after a rival's retention removed the run that it names, and is killed. */
export const lateLatest: Schedule = {
  isSigned: false,
  hasAudit: false,
  groups: [
    planAlone(planRun('run', 1, { retention: 1 })),
    {
      runs: [
        planRun('run', 3, { retention: 1 }),
        planRun('run', 2, {
          retention: 1,
          fault: { outcome: 'kill', isDone: true, landmark: 'latest', section: 0, request: 0 },
        }),
      ],
      turns: [{ run: 1, until: 'latest' }],
      unwritable: [],
    },
  ],
};

/** A slow run makes a dated copy after a heal and a run of the next slot have ended, and is killed. */
export const lateCopyAfterHeal = makeLateCopy([], [planRun('run', 3, { completeness: 0 }), planRun('heal', 3)]);

/** The same with a retraction between: a copy of the retracted slot stands for good. */
export const lateCopyAfterRetract = makeLateCopy([planRun('run', 1)], [planRun('run', 3), planRun('retract', 3)]);

function makeLateCopy(before: readonly RunPlan[], [slow, next]: readonly [RunPlan, RunPlan]): Schedule {
  const fault: Fault = { outcome: 'kill', isDone: true, landmark: 'copies', section: 0, request: 0 };
  return {
    isSigned: false,
    hasAudit: false,
    groups: [
      ...before.map(planAlone),
      {
        runs: [{ ...slow, fault }, next, planRun('run', 4)],
        turns: [
          { run: 0, until: 'copies' },
          { run: 1, until: 'end' },
          { run: 2, until: 'end' },
        ],
        unwritable: [],
      },
      planAlone(planRun('run', 5)),
    ],
  };
}

/** A run finds its number taken by the first of two rivals, when `latest.json` already names the second. */
export const overtakenRival: Schedule = {
  isSigned: false,
  hasAudit: false,
  groups: [
    {
      runs: [planRun('run', 3), planRun('run', 1), planRun('run', 2)],
      turns: [
        { run: 0, until: 'commit' },
        { run: 1, until: 'end' },
        { run: 2, until: 'end' },
      ],
      unwritable: [],
    },
  ],
};

/** Two rules that random schedules seldom need: the audit fails at the first of two commits, and a rival overtakes. */
export const tellingSchedules: readonly Schedule[] = [
  {
    isSigned: false,
    hasAudit: true,
    groups: [
      { ...planAlone(planRun('run', 1)), unwritable: ['audit'] },
      { ...planAlone(planRun('run', 2)), unwritable: ['audit'] },
      planAlone(
        planRun('run', 3, {
          fault: { outcome: 'lose', isDone: false, landmark: 'audit', section: 0, request: 0 },
        }),
      ),
    ],
  },
  {
    isSigned: false,
    hasAudit: false,
    groups: [
      {
        runs: [planRun('run', 2), planRun('run', 3, { retention: 1 })],
        turns: [
          { run: 0, until: 'after-commit' },
          { run: 1, until: 'end' },
        ],
        unwritable: [],
      },
    ],
  },
];
