/** The interview of `muster init` about an Intune tenant, with choices from there. */
import * as v from 'valibot';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { computeSha256 } from '../../../base/sha256.ts';
import { hasRightRule, identifyRules } from '../../../deployment/checks/intune/app.ts';
import type { AppFacts } from '../../../deployment/checks/intune/reading.ts';
import { deploymentSchema, emptyDeploymentSettings } from '../../../deployment/settings.ts';
import { buildDetectionRule } from '../../../deployment/windows-places.ts';
import { tenantSchema } from '../../../microsoft/application-settings.ts';
import { clouds } from '../../../microsoft/tenant.ts';
import { secretSchema } from '../../../settings/secret-references.ts';
import { originSchema } from '../../../settings/urls.ts';
import type { Interview, InterviewContext, Interviewer } from '../../interview.ts';
import { readString } from '../../reading/fields.ts';
import { listWin32Apps } from '../apps.ts';
import { connectGraph } from '../client.ts';

type NamedApp = Awaited<ReturnType<typeof listWin32Apps>>[number];

export const interviewIntune: Interview = async (interviewer, context) => {
  const connected = await interviewer.repeatUntilAccepted(() => signIn(interviewer, context));
  if (connected === undefined) {
    return undefined;
  }
  const { graph, source } = connected;
  const choices = listChoices(await listWin32Apps(graph), context);
  const known = choices.filter(({ isDocumented }) => isDocumented);
  const standard = known.length === 1 ? known[0]?.value : undefined;
  const app = await interviewer.choose({ option: 'app', text: 'Win32 app of the agent', standard }, choices);
  const chosen = choices.find(({ value }) => value === app);
  if (chosen === undefined || chosen.isDocumented) {
    return { source: { ...source, app }, deployment: {}, accepted: undefined };
  }
  const { place, rules } = chosen;
  if (place !== undefined) {
    interviewer.tell(`Its detection rule looks for ${place.path}\\${place.file}.`);
    return { source: { ...source, app }, deployment: { windows: { detection: place } }, accepted: undefined };
  }
  const text = identifyRules(rules);
  const accepted = await interviewer.review({
    what: `detection rule of "${app}"`,
    text: JSON.stringify(rules, null, 2),
    sha256: computeSha256(text),
  });
  return { source: { ...source, app }, deployment: {}, accepted };
};

async function signIn(interviewer: Interviewer, context: InterviewContext) {
  const tenantId = await interviewer.askText({
    option: 'intune-tenant',
    text: 'Tenant of Microsoft Intune, its id or its domain',
    schema: tenantSchema,
    isOptional: true,
  });
  if (tenantId === '') {
    return undefined;
  }
  const clientId = await interviewer.askText({
    option: 'intune-client-id',
    text: 'Its app registration: the client id, or where it is',
    standard: 'env:GRAPH_CLIENT_ID',
  });
  const clientSecret = await interviewer.askText({
    option: 'intune-client-secret',
    text: 'Where its secret is (env:NAME, aws-secret:NAME#key, aws-ssm:/path)',
    standard: 'env:GRAPH_CLIENT_SECRET',
    schema: secretSchema,
  });
  const own = await askEndpoints(interviewer);
  const auth = { clientId: context.secret(clientId), clientSecret: context.secret(clientSecret) };
  const endpoints = { ...clouds.global.endpoints, ...own };
  const graph = connectGraph({ name: 'windows', tenantId, auth, endpoints }, context, {}, () => undefined);
  interviewer.tell(`Signing in to ${graph.who}.`);
  await graph.credential.header();
  interviewer.tell(`Signed in to ${graph.who}.`);
  const named = Object.keys(own).length === 0 ? {} : { endpoints: own };
  return {
    graph,
    source: { name: 'windows', platform: 'intune', tenantId, auth: { clientId, clientSecret }, ...named },
  };
}

/** Endpoints from options of the command line alone: they are for a proxy, or for the simulator. */
async function askEndpoints(interviewer: Interviewer) {
  const given = async (name: string) => (await interviewer.readOption(`intune-${name}`, originSchema)) || undefined;
  return omitUndefined({
    login: await given('login'),
    graph: await given('graph'),
    downloads: await given('downloads'),
  });
}

/** Choices of apps: by name, since an update is a new object, or by id where apps of one name measure differently. */
function listChoices(apps: readonly NamedApp[], { slot, moment }: InterviewContext) {
  const check = { settings: emptyDeploymentSettings, slot, moment };
  return [...Map.groupBy(apps, ({ name }) => name)].flatMap(([name, alike]) => {
    const differ = new Set(alike.map(({ detectionRules }) => identifyRules(detectionRules))).size > 1;
    return alike.slice(0, differ ? undefined : 1).map((app) => {
      const isDocumented = hasRightRule(app, check);
      const place = findPlace(app);
      const other = place === undefined ? 'another detection rule' : `looks for ${place.path}\\${place.file}`;
      return {
        value: differ ? app.id : name,
        note: `${differ ? `${name}; ` : ''}${isDocumented ? 'the documented detection rule' : other}`,
        rules: app.detectionRules,
        isDocumented,
        place,
      };
    });
  });
}

/** The file of a plain detection rule that the settings can express; undefined for every other rule. */
function findPlace({ detectionRules }: AppFacts): { readonly path: string; readonly file: string } | undefined {
  const place = { path: readString(detectionRules[0]?.path), file: readString(detectionRules[0]?.fileOrFolderName) };
  const isPlain = identifyRules(detectionRules) === identifyRules([buildDetectionRule(place)]);
  return isPlain && v.is(deploymentSchema, { windows: { detection: place } }) ? place : undefined;
}
