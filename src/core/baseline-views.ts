/** Devices of a baseline in little memory: all but their facts is the same for many of them, and is kept once. */
import { omitUndefined } from '../omit-undefined.ts';
import type { DeviceFacts } from './facts.ts';
import type { BaselineDevice } from './state.ts';
import { forbidCopying } from './views.ts';

export type BaselineFields = Omit<BaselineDevice, 'facts'>;

/** No other field: what a later version may have added is not kept, since this one knows nothing of it. */
export function selectBaselineFields({
  status,
  reason,
  counted,
  excludedBecause,
  notInstalledSince,
  movedFrom,
  transitions,
}: BaselineFields): BaselineFields {
  return {
    ...{ status, reason, counted },
    ...omitUndefined({ excludedBecause, notInstalledSince, movedFrom }),
    transitions,
  };
}

class BaselineView implements BaselineDevice {
  readonly #facts: DeviceFacts;
  readonly #fields: BaselineFields;

  constructor(facts: DeviceFacts, fields: BaselineFields) {
    this.#facts = facts;
    this.#fields = fields;
    forbidCopying(this);
  }

  get facts() {
    return this.#facts;
  }
  get status() {
    return this.#fields.status;
  }
  get reason() {
    return this.#fields.reason;
  }
  get counted() {
    return this.#fields.counted;
  }
  get excludedBecause() {
    return this.#fields.excludedBecause;
  }
  get notInstalledSince() {
    return this.#fields.notInstalledSince;
  }
  get movedFrom() {
    return this.#fields.movedFrom;
  }
  get transitions() {
    return this.#fields.transitions;
  }

  toJSON(): BaselineDevice {
    return { facts: this.#facts, ...this.#fields };
  }
}

/** `fields` is kept as it is: whoever has many devices shares those that are equal. */
export function createBaselineDevice(facts: DeviceFacts, fields: BaselineFields): BaselineDevice {
  return new BaselineView(facts, fields);
}
