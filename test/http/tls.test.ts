/** A server whose certificate says nothing of it gets no request (H19 of the faults). */
import { createServer, type Server, type ServerOptions } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, expect, it } from 'vitest';
import { HttpClient } from '../../src/http/client.ts';
import { makeCertificate } from '../peers/certificate.ts';
import { fakeClock, listen } from './loopback.ts';

const usual = getCACertificates('default');
afterAll(() => setDefaultCACertificates(usual));

const current = makeCertificate();
const expired = makeCertificate(new Date(Date.now() - 86_400_000));

it.each<[string, typeof current, ServerOptions, boolean, RegExp]>([
  ['that is self-signed', current, {}, false, /DEPTH_ZERO_SELF_SIGNED_CERT/],
  ['that has expired', expired, {}, true, /CERT_HAS_EXPIRED/],
  ['of another host', current, {}, true, /ERR_TLS_CERT_ALTNAME_INVALID/],
  [
    'behind TLS 1.1',
    current,
    { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    true,
    /EPROTO: (tlsv1 alert|unsupported) protocol/,
  ],
])('a certificate %s: no request is sent [H19]', async (_what, made, options, isTrusted, code) => {
  setDefaultCACertificates(isTrusted ? [...usual, made.certificatePem] : usual);
  let requests = 0;
  const secure = createServer({ ...options, cert: made.certificatePem, key: made.keyPem }, (_request, response) => {
    requests += 1;
    response.end();
  });
  const { origin, close } = await listen(secure as unknown as Server & Parameters<typeof listen>[0]);
  const client = new HttpClient({
    ...{ who: 'The server', origin: origin.replace('http:', 'https:'), clock: fakeClock() },
    signal: new AbortController().signal,
  });
  const failure: unknown = await client.send({ url: '/' }, () => 'understood').catch((error: unknown) => error);
  await close();
  expect(failure).toMatchObject({ code: 'request-failed', message: expect.stringMatching(code) });
  expect(requests).toBe(0);
});
