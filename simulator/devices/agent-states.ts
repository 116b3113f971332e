/** States of an agent: the platform's data for each, and whether the agent is there. */
import type { MacAgentState, StateRow, WindowsAgentState } from './model.ts';
import states from './templates/agent-states.json' with { type: 'json' };

interface MacStateTemplate {
  readonly hasAgent: boolean;
  /** Absent where the computer has no entry for the attribute. */
  readonly values?: readonly string[] | null;
}

interface WindowsStateTemplate {
  readonly hasAgent: boolean;
  readonly rows: readonly object[];
}

export const macAgentStates = createStates(
  states.macs,
  ({ hasAgent, values }: MacStateTemplate): MacAgentState => ({
    hasAgent,
    attributeEntry: values === undefined ? undefined : { values },
  }),
);

export const windowsAgentStates = createStates(
  states.windows,
  ({ hasAgent, rows }: WindowsStateTemplate): WindowsAgentState => ({
    hasAgent,
    stateRows: rows.map((row) => ({ ...states.stateRow, ...row }) as StateRow),
  }),
);

/** Makes a state for each template, under the same name. */
function createStates<Name extends string, Template, State>(
  templates: Readonly<Record<Name, Template>>,
  toState: (template: Template) => State,
): Readonly<Record<Name, State>> {
  const created = Object.entries<Template>(templates).map(([name, template]) => [name, toState(template)]);
  return Object.fromEntries(created) as Record<Name, State>;
}
