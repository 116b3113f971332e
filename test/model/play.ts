/** Plays a history, attempt by attempt. */
import type { Facts } from '../../src/core/facts/facts.ts';
import { listNames } from '../../src/core/facts/lists.ts';
import type { History, Step } from './generate.ts';
import { judgeByModel } from './model.ts';
import { listPublished, type ModelNight, type Past } from './rows.ts';

export type Judge = (past: Past, earlier: readonly ModelNight[], facts: Facts) => ModelNight;

/** Tells of each attempt as it is judged; stops when it is answered with `stop`. */
export function playHistory(
  history: History,
  judge: Judge = judgeByModel,
  tell: (night: ModelNight, past: Past, earlier: readonly ModelNight[]) => 'stop' | undefined = () => undefined,
): Past {
  const past: ModelNight[][] = [];
  for (const step of history) {
    const earlier: ModelNight[] = [];
    for (let index = 0; index < step.attempts.length || isToAccept(step, earlier); index += 1) {
      const facts = step.attempts[index] ?? acceptNight(earlier);
      // Only beside a published run is an attempt not published.
      const isFirst = listPublished([...past, earlier]).length === 0;
      const isPublished = isFirst || (step.isPublished[index] ?? true);
      const night = { ...judge(past, [...earlier], facts), facts, isPublished };
      if (tell(night, past, [...earlier]) === 'stop') {
        return past;
      }
      earlier.push(night);
    }
    past.push(earlier);
  }
  return past;
}

/** Sources and lists that a person can accept. */
function listDoubted({ sources, lists }: ModelNight) {
  return {
    sources: sources.filter(({ soundness }) => soundness === 'suspect').map(({ facts }) => facts.name),
    lists: listNames.filter((name) => lists[name]?.soundness === 'shrunk'),
  };
}

/** "`muster accept SLOT` judges the kept facts again." */
function isToAccept({ isAccepted, attempts }: Step, earlier: readonly ModelNight[]): boolean {
  const last = listPublished([earlier]).at(-1);
  if (!isAccepted || last === undefined || earlier.length > attempts.length || last.facts.accepted !== undefined) {
    return false;
  }
  const { sources, lists } = listDoubted(last);
  return sources.length + lists.length > 0;
}

function acceptNight(earlier: readonly ModelNight[]): Facts {
  const last = listPublished([earlier]).at(-1) as ModelNight;
  return { ...last.facts, accepted: { by: 'ada', at: last.facts.moment, ...listDoubted(last) } };
}
