/** Schedules of honest runs in which the text, as it is written, leaves something wrong: `readings.md` names each. */
import type { RunKind, RunPlan, Schedule } from './schedule.ts';

function planRun(kind: RunKind, slot: number, changes: Partial<RunPlan> = {}): RunPlan {
  return { kind, slot, clockDay: slot, completeness: 3, isSuspect: false, retention: 9, ...changes };
}

function planAlone(run: RunPlan): Schedule['groups'][number] {
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

/** A slow run puts one dated copy after a heal and a run of the next slot have ended; nobody is killed. */
export const lateCopyAfterHeal = makeLateCopy([], [planRun('run', 3, { completeness: 0 }), planRun('heal', 3)]);

/** The same with a retraction between: a copy of the retracted slot stands for good. */
export const lateCopyAfterRetract = makeLateCopy([planRun('run', 1)], [planRun('run', 3), planRun('retract', 3)]);

function makeLateCopy(before: readonly RunPlan[], slowAndNext: readonly RunPlan[]): Schedule {
  return {
    isSigned: false,
    hasAudit: false,
    groups: [
      ...before.map(planAlone),
      {
        runs: [...slowAndNext, planRun('run', 4)],
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

/** Prunes to one slot while the newest kept slot is a retracted one, so that the head's slot is one too many. */
export const pruneBelowRetracted: Schedule = {
  isSigned: false,
  hasAudit: false,
  groups: [
    planAlone(planRun('run', 1)),
    planAlone(planRun('run', 2)),
    planAlone(planRun('retract', 2)),
    planAlone(planRun('prune', 1, { retention: 1 })),
  ],
};

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
