/** The interview of `muster init` about a Jamf Pro server, with choices from there. */
import { computeSha256 } from '../../../base/sha256.ts';
import type { Status } from '../../../core/facts/vocabulary.ts';
import { judgeSmartGroup } from '../../../deployment/checks/jamf/smart-groups.ts';
import { macosFiles } from '../../../deployment/definition.ts';
import { findAgentFile, toUnixText } from '../../../deployment/script-templates.ts';
import type { Acceptance, Choice, Interview, InterviewContext, Interviewer } from '../../interview.ts';
import { attempt } from '../../reading/attempt.ts';
import { readList } from '../../reading/fields.ts';
import type { ClassicList, JamfClient } from '../client.ts';
import { policies, profiles } from '../deployment/objects.ts';
import { type ListedGroup, listGroups, readCriteria } from '../groups.ts';
import { listAttributes, readAttribute } from '../instrument.ts';
import { readSample } from '../inventory.ts';
import { listAttributeEntries } from '../parse.ts';
import { signIn } from './sign-in.ts';

/** Groups to read at most, since each takes a request; those whose name mentions an installation come first. */
const mostGroupsRead = 40;

export const interviewJamf: Interview = async (interviewer, context) => {
  const connected = await interviewer.repeatUntilAccepted(() => signIn(interviewer, context));
  if (connected === undefined) {
    return undefined;
  }
  const { jamf, source } = connected;
  const extensionAttribute = await chooseAttribute(interviewer, jamf);
  const { agentFile, accepted } = await identifyScript(interviewer, jamf, extensionAttribute);
  const groups = await chooseGroups(interviewer, jamf, extensionAttribute, context);
  const own = { ...agentFile, ...(await chooseObjects(interviewer, jamf, context)) };
  return {
    source: { ...source, extensionAttribute, ...groups },
    deployment: Object.keys(own).length === 0 ? {} : { macos: own },
    accepted,
  };
};

async function chooseAttribute(interviewer: Interviewer, jamf: JamfClient): Promise<string> {
  const [attributes, computers] = await Promise.all([listAttributes(jamf), readSample(jamf)]);
  const values = countValues(computers);
  const described = attributes.map(({ name, script }) => {
    const agentFile = findAgentFile(script ?? '');
    const { reported = 0, words = 0 } = values.get(name) ?? {};
    const note = [
      `${reported} of the first ${computers.length} Macs have a value`,
      ...(words === 0 ? [] : [`${words} of them Installed or Not Installed`]),
      ...(agentFile === undefined ? [] : [`Muster's script for ${agentFile}`]),
    ].join('; ');
    return { value: name, note, agentFile, words };
  });
  const choices = described.toSorted(
    (one, other) =>
      Number(other.agentFile !== undefined) - Number(one.agentFile !== undefined) || other.words - one.words,
  );
  const known = choices.filter(({ agentFile }) => agentFile !== undefined);
  return interviewer.choose(
    {
      option: 'attribute',
      text: 'Extension attribute that says whether the agent is there',
      standard: known.length === 1 ? known[0]?.value : undefined,
    },
    choices,
  );
}

function countValues(computers: readonly Readonly<Record<string, unknown>>[]) {
  const found = new Map<unknown, { reported: number; words: number }>();
  for (const entry of computers.flatMap(listAttributeEntries)) {
    const values = readList(entry.values).filter((value) => value !== '');
    const counts = found.get(entry.name) ?? { reported: 0, words: 0 };
    counts.reported += Number(values.length > 0);
    counts.words += Number(values.some((value) => value === 'Installed' || value === 'Not Installed'));
    found.set(entry.name, counts);
  }
  return found;
}

/** The agent's file, which Muster's own script names; a person reviews any other script. */
async function identifyScript(
  interviewer: Interviewer,
  jamf: JamfClient,
  name: string,
): Promise<{ readonly agentFile?: { readonly agentFile: string }; readonly accepted: Acceptance | undefined }> {
  const definition = await readAttribute(jamf, name, () => undefined);
  if (definition === undefined) {
    interviewer.tell('The privilege "Read Computer Extension Attributes" is missing: grant it, or nothing is proven.');
    return { accepted: undefined };
  }
  const agentFile = findAgentFile(definition.script);
  if (agentFile !== undefined) {
    const isDocumented = agentFile === macosFiles.agent;
    interviewer.tell(
      `Its script is one that Muster made: it looks for ${agentFile}${isDocumented ? ', the documented place' : ''}.`,
    );
    return { accepted: undefined, ...(isDocumented ? {} : { agentFile: { agentFile } }) };
  }
  const text = toUnixText(definition.script);
  if (text.trim() === '') {
    interviewer.tell('It has no script: give it the one that `muster artifacts extension-attribute.sh` renders.');
    return { accepted: undefined };
  }
  return { accepted: await interviewer.review({ what: `script of "${name}"`, text, sha256: computeSha256(text) }) };
}

async function chooseGroups(
  interviewer: Interviewer,
  jamf: JamfClient,
  attribute: string,
  { signal }: InterviewContext,
) {
  const { value: listed = [], failure } = await attempt(signal, () => listGroups(jamf));
  if (failure !== undefined) {
    interviewer.tell(`The smart groups could not be read. ${failure.message}`);
  }
  const smart = listed.filter((group) => group.smart).toSorted((one, other) => rankGroup(one) - rankGroup(other));
  const read = await Promise.all(
    smart.slice(0, mostGroupsRead).map(async (group) => ({ group, found: await readCriteria(jamf, group, signal) })),
  );
  const choose = (option: string, holds: Status) => {
    const right = new Set(
      read
        .filter(({ found }) => judgeSmartGroup(holds, { attributeName: attribute, site: '' }, found).result === 'pass')
        .map(({ group }) => group),
    );
    const choices = smart
      .map((group) => ({ value: String(group.name), isRight: right.has(group) }))
      .toSorted((one, other) => Number(other.isRight) - Number(one.isRight))
      .map(({ value, isRight }) => ({ value, note: isRight ? `its one criterion is "${holds}"` : '' }));
    const standard = right.size === 1 ? choices[0]?.value : undefined;
    const text = `Smart group of the Macs that are ${holds}`;
    return interviewer.choose({ option, text, standard, isOptional: true }, choices);
  };
  const installed = await choose('installed-group', 'Installed');
  const notInstalled = await choose('not-installed-group', 'Not Installed');
  return installed === '' || notInstalled === '' ? {} : { groups: { installed, notInstalled } };
}

function rankGroup({ name }: ListedGroup): number {
  return /install|agent/i.test(String(name)) ? 0 : 1;
}

/** Asks for the objects that deploy the agent, on which the number does not depend. */
async function chooseObjects(interviewer: Interviewer, jamf: JamfClient, { signal }: InterviewContext) {
  const [policyNames, profileNames] = await Promise.all(
    [policies, profiles].map((list) => listNames(jamf, list, signal)),
  );
  const choose = (option: string, text: string, choices: readonly Choice[] = []) =>
    interviewer.choose({ option, text, isOptional: true }, choices);
  const policy = await choose('policy', 'Policy that installs the agent', policyNames);
  const extension = await choose('extension-profile', 'Profile that trusts its extensions', profileNames);
  const fileAccess = await choose('file-access-profile', 'Profile that gives it access to all files', profileNames);
  const named = Object.entries({ extension, fileAccess }).filter(([, name]) => name !== '');
  return {
    ...(policy === '' ? {} : { policy }),
    ...(named.length === 0 ? {} : { profiles: Object.fromEntries(named) }),
  };
}

/** Names of objects; none where the account may not read them. */
async function listNames(jamf: JamfClient, list: ClassicList, signal: AbortSignal): Promise<readonly Choice[]> {
  const { value = [] } = await attempt(signal, () => jamf.classicEntries(list));
  return value.map(({ name }) => ({ value: name, note: '' }));
}
