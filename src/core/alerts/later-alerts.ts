/** Machines that lost the agent, or came without it, in this run and get no alert in it: how many, and why not. */
import { indexBy } from '../../base/index-by.ts';
import { toDeviceAlertKey } from '../facts/alert-event.ts';
import type { AlertHold, Change, LaterAlerts } from '../facts/judged.ts';
import type { AlertInput } from './alert-input.ts';
import type { MachineVerdict } from './device-alerts.ts';

const kinds = { lost: 'device.lost', 'new-not-installed': 'device.new-not-installed' } as const;

/** Changes that open no alert in this run, counted by reason: each change of a run has either an alert or a reason here. */
export function listLaterAlerts(
  input: AlertInput,
  verdicts: ReadonlyMap<string, MachineVerdict>,
): readonly LaterAlerts[] {
  const machines = indexBy(input.machines, ({ device }) => toRowKey(device.source, device.facts.id));
  const held = input.sources.flatMap(({ changes }) =>
    changes.flatMap(({ kind, source, device }) => {
      const name = machines.get(toRowKey(source, device.id))?.name;
      const why = isOfKind(kind) ? findReason(name, verdicts.get(name ?? ''), input) : undefined;
      return why === undefined || !isOfKind(kind) ? [] : [{ kind: kinds[kind], why }];
    }),
  );
  const groups = Map.groupBy(held, ({ kind, why }) => `${kind} ${why}`);
  return [...groups.values()].flatMap((group) => group.slice(0, 1).map((one) => ({ ...one, devices: group.length })));
}

function isOfKind(kind: Change['kind']): kind is keyof typeof kinds {
  return kind in kinds;
}

function toRowKey(source: string, id: string): string {
  return `${source}\u0000${id}`;
}

/** The reason why no alert opens for a change; undefined where one opens in this run. */
function findReason(
  name: string | undefined,
  { fires, heldBack }: MachineVerdict = {},
  { canaries, open }: AlertInput,
): AlertHold | undefined {
  if (fires?.kind === 'device.flapping') {
    return 'flapping';
  }
  if (name !== undefined && canaries.has(name)) {
    return 'canary';
  }
  const alert = open.get(toDeviceAlertKey(name ?? ''));
  const isOpen = alert !== undefined && (fires === undefined || alert.kind === fires.kind);
  return isOpen ? 'open' : heldBack;
}
