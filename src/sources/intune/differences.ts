/** Merges two walks of one list: every device that only one of them listed is read by its id. */
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import { type Graph, parseObject } from './graph.ts';
import { devicesPath, parseManagedDevice } from './listing.ts';
import { type ListedDevice, managedDeviceFields, parseListedDevice } from './parse.ts';

type DevicesById = ReadonlyMap<string, ListedDevice>;

/** A tenant does not change this much within minutes: with more differences, the list cannot be trusted. */
const toleratedDifferences = 50;
const toleratedShare = 0.01;

/** `first` has all fields, `second` only ids. */
export async function explainDifferences(
  graph: Graph,
  first: DevicesById,
  second: DevicesById,
): Promise<ListedDevice[]> {
  const unseen = [...second].filter(([key]) => !first.has(key)).map(([, device]) => device);
  const unseenAgain = [...first].filter(([key]) => !second.has(key)).map(([, device]) => device);
  const differences = unseen.length + unseenAgain.length;
  if (differences > Math.max(toleratedDifferences, first.size * toleratedShare)) {
    throw createUnstableListError(graph.who, differences);
  }

  const found = await Promise.all(unseen.map((device) => lookUpDevice(graph, device.id)));
  const gone = await Promise.all(
    unseenAgain.map(async (device) => ((await isGone(graph, device.id)) ? device : undefined)),
  );
  const left = new Set(gone);
  return [...first.values(), ...found.filter((device) => device !== undefined)].filter((device) => !left.has(device));
}

/** Undefined when there is no such device. */
function lookUpDevice(graph: Graph, id: string): Promise<ListedDevice | undefined> {
  const url = `${devicesPath}/${encodeURIComponent(id)}?$select=${managedDeviceFields.join(',')}`;
  return graph.client.send({ url, alsoUnderstood: [404] }, (answer) =>
    answer.status === 404
      ? undefined
      : parseListedDevice(parseManagedDevice(parseObject(answer, graph.who), graph.who)),
  );
}

/** Only a clear "no such device" removes a device that a page has listed. */
async function isGone(graph: Graph, id: string): Promise<boolean> {
  try {
    return (await lookUpDevice(graph, id)) === undefined;
  } catch (error) {
    if (graph.signal.aborted) {
      throw error;
    }
    return false;
  }
}

function createUnstableListError(who: string, differences: number): MusterError {
  return new MusterError(
    'paging-broken',
    `${who} listed ${differences} ${pluralize(differences, 'device')} in only one of two walks: ${devicesPath}. Run again later, when the tenant changes less.`,
  );
}
