/** What real servers do now and then, each as faults and options of the simulated platforms. */
import type { Simulator, SimulatorOptions } from '../../simulator/simulator.ts';

export interface Behaviour {
  /** As in the table, and after `--only`. */
  readonly name: string;
  /** Written as for `muster sandbox --fault`. */
  readonly faults: (macs: number) => readonly string[];
  readonly options?: Pick<SimulatorOptions, 'jamf' | 'graph'>;
  /** What happens to the devices before anybody asks. */
  readonly change?: (simulator: Simulator) => void;
}

/** Always the same tenth of the Macs has a record that breaks its page. */
function breakEachTenth(fault: string): Behaviour['faults'] {
  return (macs) => [`jamf/${fault}=${Math.floor(macs / 10)}:lasting`];
}

const withoutFaults: Behaviour['faults'] = () => [];

export const behaviours: readonly Behaviour[] = [
  { name: 'none', faults: withoutFaults },
  { name: 'each tenth record fails (HTTP 500)', faults: breakEachTenth('record-500') },
  { name: 'each tenth record is a web page (HTTP 200)', faults: breakEachTenth('record-html') },
  { name: 'each tenth record cuts the JSON', faults: breakEachTenth('record-cut') },
  { name: 'HTTP 429 with Retry-After, twice', faults: () => ['throttled-seconds=1'] },
  { name: 'a 50-row default: no export, only the report action', faults: () => ['graph/export-refused:lasting'] },
  {
    name: 'pages of 50, whatever size was asked for',
    faults: withoutFaults,
    options: { jamf: { pageCap: 50 }, graph: { pageSize: 50 } },
  },
  { name: 'a Mac is deleted during the walk', faults: () => ['jamf/clean-up'] },
  { name: 'a lagging node leaves out one Mac of 40, and counts it', faults: () => ['jamf/rows-hidden'] },
  { name: 'an empty export', faults: () => ['graph/export-empty:lasting'] },
  {
    name: '"Not Installed" holds "Installed": half of the answers turned over',
    faults: withoutFaults,
    change: (simulator) => simulator.flipShareOfDevices(50),
  },
];
