/** The words that Muster does not use: phrases in what people see, and names in the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Channel } from '../../src/alerts/channel.ts';
import type { AlertMessage } from '../../src/alerts/message/digest.ts';
import { buildFailureMessage, buildTestMessage } from '../../src/alerts/message/other-messages.ts';
import { renderPlainText } from '../../src/alerts/message/plain-text.ts';
import { MusterError } from '../../src/base/errors.ts';
import { pageReport } from '../../src/compose/parts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { openPlain } from '../alerts/channel-subjects.ts';
import { buildExampleMessage, busyNight } from '../alerts/example-messages.ts';
import { musterHere } from '../cli/muster.ts';
import { badNight, emptyFleet, silentFirstNight } from '../reports/example-nights.ts';
import { picture } from '../reports/picture.ts';
import { documents } from './documents.ts';

const root = join(import.meta.dirname, '..', '..');

/** Phrases that people do not see, and what is written instead. */
const replacedPhrases: readonly (readonly [phrase: string, instead: string])[] = [
  ['to chase', 'needs action'],
  ['silent since long', 'not seen recently'],
  ['night was worth', 'data quality by source'],
  ['first, again, over', 'opened, reminded, resolved'],
  ['is over', 'resolved'],
  ['well again', 'resolved'],
  ['told', 'reported, alerted'],
  ['told as over', 'missing data never resolves an alert'],
  ['left the count', 'removed from scope'],
  ['each is meant to be out', 'confirm that each exclusion is intended'],
  ['by the present instrument', 'with the current detection method'],
  ['the number is not the whole truth', 'coverage is incomplete or unverified'],
  ['stops politely', 'shuts down gracefully'],
  ['nothing better was to be had', 'the retry was no more complete'],
  ['did not take it', 'rejected the message (HTTP 404)'],
  ['asks for fewer requests', 'rate limited'],
  ['gave up on its own answer', 'the server timed out'],
  ['longer than this run may take', 'Retry-After (N s) exceeds this run’s deadline'],
  ['does not suit the version', 'not supported by this server version'],
  ['its own log says why', 'see the server’s log'],
  ['no night would honour', 'invalid rows, which runs ignore'],
  ['mend it', 'fix the cause'],
  ['run the night again', 'run the slot again'],
  ['judged without the breaker', 'overriding the anomaly check'],
  ['asks anybody anything', 'this page makes no network requests'],
  ['from now on, changes are', 'changes are reported from the next run'],
  ['the next run tries first', 'retried first by the next run'],
  ['excuses', 'exempts'],
  ['excused', 'exempted'],
  ['the night of', 'the run of'],
  ['tonight', 'in this run'],
  ['has not taken', 'has accepted no message'],
  ['taken out of the settings', 'removed from the settings'],
  ['in clear', 'in plain text'],
  ['broke off', 'closed the connection'],
  ['silent for too long', 'sent nothing for N s'],
  ['says of a missing key', 'answers 403 for a key that does not exist'],
  ['a missing key as forbidden', 'answers 403 for a key that does not exist'],
  ['see the runbook', 'the document and its heading'],
  ['stands published', 'is published'],
  ['nights only go forward', 'only later slots can follow'],
  ['not to be had', 'not available'],
];

function findReplacedPhrases(shown: string): string[] {
  const line = shown.replaceAll('’', "'").replace(/\s+/g, ' ');
  return replacedPhrases
    .filter(([phrase]) => new RegExp(`(?<![\\w-])${phrase}(?![\\w-])`, 'i').test(line))
    .map(([phrase, instead]) => `"${phrase}": write "${instead}"`);
}

it('finds a phrase whatever its case and line breaks, and no part of a word', () => {
  expect(findReplacedPhrases('36 TO\n  chase')).toHaveLength(1);
  expect(findReplacedPhrases('untold, to-chase, into chaser')).toEqual([]);
});

describe('the page', () => {
  const nights: readonly (readonly [string, () => Night])[] = [
    ['a run with something of everything', picture],
    ['a run with broken sources', () => badNight(300)],
    ['a first run without answers', silentFirstNight],
    ['a run without devices', emptyFleet],
  ];

  it.each(nights)('of %s says it in the current words', async (_, build) => {
    const html = await renderPage(build());
    expect(findReplacedPhrases(html)).toEqual([]);
  });

  it('has the current names in its navigation and headings', async () => {
    const html = await renderPage(picture());
    const navigation = /<nav[^>]*>(.*?)<\/nav>/s.exec(html)?.[1] ?? '';
    const names = [...navigation.matchAll(/<a href="#([^"]+)">([^<]+)</g)].map(([, id, name]) => [id, name]);
    expect(names).toEqual([
      ['overview', 'Overview'],
      ['trend', 'Trend'],
      ['needs-action', 'Needs action'],
      ['breakdown', 'Breakdown'],
      ['changes', 'What changed'],
      ['groups', 'Groups'],
      ['all-devices', 'All devices'],
      ['data-quality', 'Data quality'],
      ['glossary', 'Glossary'],
    ]);
    for (const [id] of names) {
      expect(html).toContain(`<section id="${id}"`);
    }
    const headings = [...html.matchAll(/<h[23][^>]*>([^<]+)</g)].map(([, heading]) => heading);
    expect(headings).toEqual(expect.arrayContaining(['Needs action', 'Data quality', 'Glossary']));
    expect(headings.filter((heading) => /^(silent|words|soundness|to chase)$/i.test(heading ?? ''))).toEqual([]);
  });
});

/** Without the packed data, which is no text. */
async function renderPage(night: Night): Promise<string> {
  return (await text(pageReport.render(night))).replace(/<script type="application\/gzip"[^>]*>[^<]*<\/script>/, '');
}

describe('messages', () => {
  const url = 'https://hooks.example.com/';
  const channels: readonly Channel[] = [
    openPlain({ type: 'slack', url }),
    openPlain({ type: 'teams', url }),
    openPlain({ type: 'sns', topicArn: 'arn:aws:sns:eu-central-1:123456789012:muster' }),
  ];
  const error = new MusterError('deadline', 'Reading the platforms took too long.');
  const failed = { agent: 'Endpoint agent', slot: '2026-06-04', commit: 3 };
  const messages: readonly (readonly [string, () => AlertMessage])[] = [
    ['of a run with nearly every kind of event', () => buildExampleMessage(busyNight())],
    ['of a run that failed', () => buildFailureMessage(failed, error)],
    ['of a run that failed unexpectedly', () => buildFailureMessage(failed, new Error('x'))],
    ['that is a test', () => buildTestMessage('Endpoint agent', '2026-06-04')],
  ];

  it.each(messages)('%s say it in the current words', (_, build) => {
    const message = build();
    const texts = [
      renderPlainText(message.digest),
      ...channels.flatMap((channel) => channel.render(message).map(toText)),
    ];
    expect(texts).toHaveLength(4);
    expect(texts.flatMap(findReplacedPhrases)).toEqual([]);
  });
});

function toText(payload: unknown): string {
  return JSON.stringify(payload).replaceAll('\\n', '\n');
}

describe('the command line', () => {
  let commands: readonly (readonly string[])[];

  beforeAll(async () => {
    const every = await musterHere(['help', '--all'], { folder: root });
    const top = listCommands(every.output);
    const below = listCommands(await readHelp(['alerts']));
    commands = [[], ...top.map((name) => [name]), ...below.map((name) => ['alerts', name])];
  });

  it('says it in the current words in the help of every command', async () => {
    expect(commands.length).toBeGreaterThan(12);
    for (const command of commands) {
      expect(findReplacedPhrases(await readHelp(command)), command.join(' ')).toEqual([]);
    }
  });
});

async function readHelp(command: readonly string[]): Promise<string> {
  const { code, output } = await musterHere([...command, '--help'], { folder: root });
  expect(code).toBe(0);
  return output;
}

function listCommands(help: string): string[] {
  const [, commands = ''] = help.split('Commands:\n');
  return [...commands.matchAll(/^ {2}([a-z]+)\b/gm)].flatMap(([, name]) => (name === 'help' ? [] : (name ?? [])));
}

it.each(documents)('%s says it in the current words', (file) => {
  // A name in code marks is a name, such as a key of a file.
  const written = readFileSync(join(root, file), 'utf8').replace(/(?<!`)`[^`\n]+`(?!`)/g, '');
  expect(findReplacedPhrases(written)).toEqual([]);
});

it('no sentence in the code says it in the replaced words', () => {
  const folders = ['src', 'infra'].map((folder) => join(root, folder));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  const sentences = files.flatMap((file) => listSentences(file).map((sentence) => ({ file, sentence })));
  expect(sentences.length).toBeGreaterThan(500);
  expect(
    sentences.flatMap(({ file, sentence }) => findReplacedPhrases(sentence).map((found) => `${file}: ${found}`)),
  ).toEqual([]);
});

/** The texts between quotes that have several words. */
function listSentences(file: string): string[] {
  const sentences: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      sentences.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return sentences.filter((sentence) => sentence.trim().includes(' '));
}

/** Names that the code does not use, and the ones that it uses instead. */
const replacedNames: readonly (readonly [names: string, instead: string])[] = [
  ['scene', 'sourceInput'],
  ['frame', 'runContext'],
  ['Sheet', 'SourceReading'],
  ['Ask', 'ReadContext'],
  ['told matter', 'alertState, alert'],
  ['stands over tell', 'raise, resolve, emit'],
  ['again', 'rerun'],
  ['hurried', 'withDeadline'],
  ['noticed', 'withHeartbeat'],
  ['farewell', 'failureNoticeBudget'],
  ['lastWords', 'responseReserve'],
  ['logged', 'logProgress'],
  ['heirs inherit Household', 'transferAlerts'],
  ['lineage trace Ancestor', 'matchDevices, BaselineMatch'],
  ['chase', 'needsAction'],
  ['Wish', 'RunRequest'],
  // The file core/order.ts has the order of texts, which is another meaning.
  ['Order', 'RunRequest'],
  ['stood overtaken looked', 'unchanged, superseded, dryRun'],
  ['Letter', 'HttpMessage'],
  ['keepers', 'secretStores'],
  ['trial', 'testMessage'],
  ['past Standing Held', 'publishedRuns, CurrentRun'],
  ['place', 'atomicWrite'],
  ['asked', 'deploymentSettings'],
  ['isWell', 'isPassing'],
  ['present', 'simulationState'],
  ['strikes', 'injectFaults'],
  ['watch', 'requestAudit'],
  ['birth bearMac', 'createMac'],
  ['kinds', 'edgeCases'],
  ['spoken', 'formatOutcome'],
  ['fleet', 'devices'],
  ['heard hears', 'onX, received'],
];

const keptFiles = new Set(['core/text/order.ts']);

describe('the code', () => {
  const folder = join(root, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));
  const instead = new Map(
    replacedNames.flatMap(([names, better]) => names.split(' ').map((name) => [name.toLowerCase(), better] as const)),
  );

  it('exports nothing under a replaced name', () => {
    const names = files.flatMap((file) => {
      const source = readFileSync(join(folder, file), 'utf8');
      const declarations = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;
      return [...source.matchAll(declarations)].map(([, name = '']) => ({ file, name }));
    });
    expect(names.length).toBeGreaterThan(300);
    expect(names.filter(({ name }) => instead.has(name.toLowerCase()))).toEqual([]);
  });

  it('has no file with a replaced name', () => {
    const names = files.filter((file) => instead.has(basename(file, '.ts').replaceAll('-', '').toLowerCase()));
    expect(names.filter((file) => !keptFiles.has(file))).toEqual([]);
  });
});
