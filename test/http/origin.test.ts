import { describe, expect, it } from 'vitest';
import { isLoopbackHost } from '../../src/base/loopback.ts';
import { isAtOrigin, stripQuery } from '../../src/http/client.ts';

describe('isAtOrigin', () => {
  it.each([
    ['https://graph.test/v1.0/x', 'https://graph.test', true],
    ['https://graph.test:443/x', 'https://graph.test', true],
    ['https://GRAPH.test/x', 'https://graph.test', true],
    ['http://graph.test/x', 'https://graph.test', false],
    ['https://graph.test:8443/x', 'https://graph.test', false],
    ['https://graph.test.evil.test/x', 'https://graph.test', false],
    ['https://graph.test@evil.test/x', 'https://graph.test', false],
    ['https://user:word@graph.test/x', 'https://graph.test', false],
    ['https://graph.test/x', 'https://user@graph.test', false],
    ['https://user@graph.test/x', 'https://user@graph.test', false],
    ['https://evil.test/x', 'https://graph.test@evil.test', false],
    ['https://one.blob.test/x', 'https://*.user@blob.test', false],
    ['https://evil.test/https://graph.test', 'https://graph.test', false],
    ['https://one.blob.test/x', 'https://*.blob.test', true],
    ['https://blob.test/x', 'https://*.blob.test', false],
    ['https://evilblob.test/x', 'https://*.blob.test', false],
    ['https://one.blob.test.evil.test/x', 'https://*.blob.test', false],
  ])('%s at %s: %s [P9]', (url, origin, expected) => {
    expect(isAtOrigin(new URL(url), origin)).toBe(expected);
  });
});

describe('withoutQuery', () => {
  it('drops query, fragment and user [X4]', () => {
    expect(stripQuery(new URL('https://a:b@graph.test/v1?code=secret#x'))).toBe('https://graph.test/v1');
  });
});

// R7: mail to a host whose name only begins like an address of this machine would go in clear text.
it.each([
  ['localhost', true],
  ['::1', true],
  [new URL('http://[::1]:80/').hostname, true],
  ['127.0.0.1', true],
  ['127.0.0.1.evil.test', false],
  ['127.mail.example', false],
  ['mail.example.com', false],
])('%s is this machine: %s', (host, isHere) => {
  expect(isLoopbackHost(host)).toBe(isHere);
});
