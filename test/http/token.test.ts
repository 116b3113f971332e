import { expect, it } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { TokenCredential } from '../../src/http/token.ts';
import { fakeClock } from './loopback.ts';

/** Issues tokens 1, 2, ... of one lifetime. */
function issuing(lifetime: number | undefined) {
  const clock = fakeClock();
  let issued = 0;
  const credential = new TokenCredential('Test "one"', clock, async () => {
    issued += 1;
    return { text: `t${issued}`, lifetime };
  });
  return { clock, credential };
}

it.each([
  [1, 0.75],
  [2, 1.5],
  [60, 45],
  [599, 569],
  [1799, 1769],
])('a token of %s s is renewed after %s s [A6]', async (lifetime, seconds) => {
  const { clock, credential } = issuing(lifetime * 1000);
  await credential.header();
  clock.pass(seconds * 1000 - 1);
  expect(await credential.header()).toBe('Bearer t1');
  clock.pass(1);
  expect(await credential.header()).toBe('Bearer t2');
});

it('twenty who wait share one sign-in, and twenty whose token was refused share the next [A7]', async () => {
  const { credential } = issuing(undefined);
  const ask = (refused?: string) => Promise.all(Array.from({ length: 20 }, () => credential.header(refused)));
  expect(new Set(await ask())).toEqual(new Set(['Bearer t1']));
  expect(new Set(await ask('Bearer t1'))).toEqual(new Set(['Bearer t2']));
  // Who comes late with the old refusal gets the new token.
  expect(await credential.header('Bearer t1')).toBe('Bearer t2');
});

it('a sign-in that has just failed is not repeated by the next request', async () => {
  const clock = fakeClock();
  let asked = 0;
  const credential = new TokenCredential('Test "one"', clock, async () => {
    asked += 1;
    throw new MusterError('sign-in-refused', 'The secret is wrong.');
  });
  for (let requests = 0; requests < 3; requests += 1) {
    await expect(credential.header()).rejects.toMatchObject({ code: 'sign-in-refused' });
  }
  expect(asked).toBe(1);
  clock.pass(10_000);
  await expect(credential.header()).rejects.toMatchObject({ code: 'sign-in-refused' });
  expect(asked).toBe(2);
});
