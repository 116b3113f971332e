/** A request that may fail without ending the reading. */
import { MusterError } from '../../errors.ts';
import type { Graph } from './graph.ts';

export type Attempt<T> =
  | { readonly value: T; readonly failure?: undefined }
  | { readonly value?: undefined; readonly failure: MusterError };

/** The value or the failure; where the run was stopped, neither matters. */
export async function attempt<T>(graph: Graph, read: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (graph.signal.aborted) {
      throw graph.signal.reason;
    }
    if (error instanceof MusterError) {
      return { failure: error };
    }
    throw error;
  }
}
