/** The kinds of source that the model knows. */
import { fleetModel } from '../example-kind/model.ts';
import { intuneModel } from './intune.ts';
import { jamfModel } from './jamf.ts';
import type { KindModel } from './kind.ts';

export const kindModels: Readonly<Record<string, KindModel>> = {
  jamf: jamfModel,
  intune: intuneModel,
  fleet: fleetModel,
};

export function findKindModel(kind: string): KindModel {
  const found = kindModels[kind];
  if (found === undefined) {
    throw new Error(`the model has no rules for ${kind}`);
  }
  return found;
}

/** The kind of a source in a history, by its name. */
export function findKindOf(source: string): string {
  return Object.keys(kindModels).find((kind) => source.startsWith(findKindModel(kind).source)) ?? source;
}
