/** Schedules in which the product once differed from the model, as small as they get. */
import { planAlone, planRun } from './gaps.ts';
import type { Group, Schedule } from './schedule.ts';

function plan(...groups: Group[]): Schedule {
  return { isSigned: false, hasAudit: false, groups };
}

/** A rival builds on a run that could not make its copies, and owes them with its own. */
const rivalWithoutCopies = plan({
  runs: [planRun('run', 1), planRun('run', 2)],
  turns: [{ run: 1, until: 'commit' }],
  unwritable: ['latest'],
});

/** The run before a retracted one is let go before the retracted slot is. */
const runBeforeLetGo = plan(
  planAlone(planRun('run', 2)),
  planAlone(planRun('run', 4)),
  planAlone(planRun('retract', 4)),
  planAlone(planRun('run', 3, { retention: 1 })),
);

/** A slot is retracted whose dated copies are of two attempts, and they cannot be taken away. */
const mixedCopiesRetracted = plan(
  planAlone(planRun('run', 3)),
  planAlone(planRun('run', 4, { completeness: 0 })),
  { ...planAlone(planRun('run', 4)), unwritable: ['copies'] },
  { ...planAlone(planRun('retract', 4)), unwritable: ['copies'] },
);

/** A slot is retracted while a run that nobody chose reads it again. */
const retractedWhileRead = plan(planAlone(planRun('run', 3)), planAlone(planRun('run', 4, { completeness: 1 })), {
  runs: [planRun('scheduled', 4), planRun('retract', 4)],
  turns: [
    { run: 0, until: 'commit' },
    { run: 1, until: 'end' },
  ],
  unwritable: [],
});

/** A run is let go, with its copies, while it makes them. */
const letGoWhileCopied = plan({
  runs: [planRun('run', 3), planRun('run', 4, { retention: 1 })],
  turns: [
    { run: 0, until: 'copies' },
    { run: 1, until: 'end' },
  ],
  unwritable: [],
});

/** The head of a night is let go while the night is judged. */
const headLetGo = plan(planAlone(planRun('run', 1)), {
  runs: [planRun('run', 3), planRun('run', 2, { retention: 1 })],
  turns: [
    { run: 0, until: 'attempt' },
    { run: 1, until: 'end' },
  ],
  unwritable: [],
});

/** The head of a decision is let go before its facts are read. */
const acceptedLetGo = plan(planAlone(planRun('run', 1, { isSuspect: true })), {
  runs: [planRun('accept', 1), planRun('run', 2, { retention: 1 })],
  turns: [
    { run: 0, until: 'read-log' },
    { run: 1, until: 'end' },
  ],
  unwritable: [],
});

export const foundSchedules = {
  rivalWithoutCopies,
  runBeforeLetGo,
  mixedCopiesRetracted,
  retractedWhileRead,
  letGoWhileCopied,
  headLetGo,
  acceptedLetGo,
};
