/** W2: a machine whose only way out is a company's proxy, which alone knows where names lead, and breaks TLS open. */
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Loopback, loopback } from '../http/loopback.ts';
import { makeCertificate } from '../peers/certificate.ts';
import { type ForwardingProxy, startForwardingProxy } from '../peers/forwarding-proxy.ts';
import { type S3Peer, startS3Peer } from '../peers/s3/peer.ts';
import { finished, openSite, pastSlots, type Site, startMuster } from './muster.ts';

const [slot] = pastSlots;
const certificate = makeCertificate(undefined, ['*.muster.example']);
/** A dot in its name makes S3's client write the bucket into the path, for which one certificate is enough. */
const bucket = 'muster.reports';
const password = 'anna:p@ss hidden';

let site: Site;
let s3: S3Peer;
let services: Loopback;
let mail: SMTPServer;
let mails: string[] = [];
let proxy: ForwardingProxy;
let settings = '';

beforeAll(async () => {
  site = await openSite();
  s3 = await startS3Peer({ buckets: [bucket] });
  services = await loopback((request, response) => void request.resume().on('end', () => response.end('ok')));
  mail = new SMTPServer({
    ...{ key: certificate.keyPem, cert: certificate.certificatePem, authOptional: true },
    onData: (stream, _, callback) => void text(stream).then((received) => callback(null, void mails.push(received))),
  });
  await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', () => resolve()));
  const ca = join(site.folder, 'authority.pem');
  await writeFile(ca, certificate.certificatePem);
  const own = { ...site.simulator.urls };
  for (const name of Object.keys(own)) {
    Object.assign(site.simulator.urls, { [name]: `https://${name}.muster.example` });
  }
  const people = 'from: muster@example.com, to: [ops@example.com]';
  const application = 'auth: { clientId: env:GRAPH_MAIL_CLIENT_ID, clientSecret: env:GRAPH_MAIL_CLIENT_SECRET }';
  const { login, graph } = site.simulator.urls;
  const channels = [
    '{ type: slack, url: env:SLACK }',
    `{ type: smtp, host: mail.muster.example, ${people} }`,
    `{ type: graph-mail, ${people}, tenantId: 11111111-2222-3333-4444-555555555555, ${application}, endpoints: { login: "${login}", graph: "${graph}" } }`,
  ];
  const alerts = `alerts: { channels: [${channels}], heartbeat: env:BEAT }\n`;
  ({ settings } = await site.settingsFor('behind', (yaml) =>
    (yaml + alerts).replace('./muster-data', `s3://${bucket}/prod`),
  ));
  Object.assign(site.environment, s3.environment, {
    AWS_ENDPOINT_URL_S3: 'https://s3.muster.example',
    NODE_EXTRA_CA_CERTS: ca,
    SLACK: 'https://slack.muster.example/services/hidden-hook',
    BEAT: 'https://beat.muster.example/hidden-beat',
  });
  routes = Object.fromEntries([
    ...Object.entries(own).map(([name, url]) => [`${name}.muster.example:443`, url]),
    ['s3.muster.example:443', s3.url],
    ['slack.muster.example:443', services.origin],
    ['beat.muster.example:443', services.origin],
    ['mail.muster.example:587', `tcp://127.0.0.1:${(mail.server.address() as AddressInfo).port}`],
  ]);
});
afterAll(async () => {
  await new Promise<void>((resolve) => mail.close(resolve));
  await Promise.all([services.close(), s3.close(), site.close()]);
});

let routes: Readonly<Record<string, string>> = {};

beforeEach(async () => {
  mails = [];
  services.requests.length = 0;
  proxy = await startForwardingProxy({ routes, certificate, password });
});
afterEach(() => proxy.die());

/** A process of its own, which finds the proxy in its environment. */
async function muster(words: readonly string[], credentials = 'anna:p%40ss%20hidden', protocol = 'http:') {
  const environment = { ...site.environment, HTTPS_PROXY: `${protocol}//${credentials}@127.0.0.1:${proxy.port}` };
  const ended = await finished(startMuster(['--settings', settings, ...words], { folder: site.folder, environment }));
  expect(ended.output + ended.errors).not.toContain('hidden');
  return ended;
}

const named = () => `http://127.0.0.1:${proxy.port}`;
const places = () => [...new Set(proxy.requests)].sort();

test('a run behind a proxy reads, publishes, reports and pings, all through it [W2] [H24]', async () => {
  expect((await muster(['run', '--slot', slot])).code).toBe(0);
  expect(places()).toEqual([
    ...['CONNECT beat.muster.example:443', 'CONNECT downloads.muster.example:443', 'CONNECT graph.muster.example:443'],
    ...['CONNECT jamf.muster.example:443', 'CONNECT login.muster.example:443', 'CONNECT mail.muster.example:587'],
    ...['CONNECT s3.muster.example:443', 'CONNECT service.muster.example:443', 'CONNECT slack.muster.example:443'],
  ]);
  expect(mails).toHaveLength(1);
  expect(site.simulator.mails).toHaveLength(1);
  expect([...s3.objects().keys()]).toContain('prod/latest/devices.csv');
});

const advice = 'Put a current user and password into the address of the proxy (HTTPS_PROXY).';

test('a wrong password of the proxy is one sentence, which names it [W2] [H24]', async () => {
  const { code, errors } = await muster(['run', '--slot', slot], 'anna:wrong-hidden');
  expect([code, errors.replace(/\.probe\/\S+/, 'PROBE')]).toEqual([
    1,
    `muster [store-unreachable]: Reading PROBE in s3://${bucket}/prod failed: the proxy ${named()} answered 407. ${advice}\n`,
  ]);
  expect(services.requests).toEqual([]);
});

test('a channel behind a proxy that refuses the password blames the proxy [W2]', async () => {
  const { code, output } = await muster(['alerts', 'test'], 'anna:wrong-hidden');
  expect([code, output]).toEqual([
    3,
    `slack: not accepted. Slack could not be reached, since the proxy ${named()} answered 407: POST https://slack.muster.example. ${advice}
smtp: not accepted. The mail server was not reached, since the proxy ${named()} answered 407. ${advice}
graph-mail: not accepted. Microsoft sign-in for mail could not be reached, since the proxy ${named()} answered 407: POST https://login.muster.example/11111111-2222-3333-4444-555555555555/oauth2/v2.0/token. ${advice}
`,
  ]);
});

test('a mail that breaks off in the tunnel names the proxy, also one that speaks no TLS [W2]', async () => {
  const { code, output } = await muster(['alerts', 'test'], undefined, 'https:');
  expect(code).toBe(3);
  const { origin } = new URL(`https://127.0.0.1:${proxy.port}`);
  expect(output).toContain(
    `smtp: not accepted. The mail server did not accept the message through the proxy ${origin} (`,
  );
});

test('check names the proxy of each thing that is asked [W2]', async () => {
  const { output } = await muster(['check']);
  const through = (name: string) => `https://${name}.muster.example through the proxy ${named()}`;
  expect(output.slice(output.indexOf('\nalerts\n'), output.indexOf('\nReady:'))).toBe(`
alerts
  slack: its server answers through the proxy ${named()}
  smtp: connected through the proxy ${named()}; muster alerts test sends a marked message
  graph-mail: connected through the proxy ${named()}; muster alerts test sends a marked message
  heartbeat: its server answers through the proxy ${named()}

network
  macs: ${through('jamf')}
  windows: ${through('login')}
  windows: ${through('graph')}
  windows: ${through('downloads')}
  deployment.service: ${through('service')}
  store: ${through('s3')}
`);
});
