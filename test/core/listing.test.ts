/** How many devices a list may lack: more than 20 points and more than 10 devices above the baseline's share. */
import { expect, it } from 'vitest';
import { findListingGaps } from '../../src/core/listing.ts';

it.each([
  ['20 of 100', { received: 80, unlisted: 20 }, undefined, undefined],
  ['21 of 100', { received: 79, unlisted: 21 }, undefined, { lacking: 21, of: 100, expected: 0 }],
  ['15 of 100', { received: 85, unlisted: 15 }, undefined, undefined],
  ['10 of 30', { received: 20, unlisted: 10 }, undefined, undefined],
  ['11 of 31', { received: 20, unlisted: 11 }, undefined, { lacking: 11, of: 31, expected: 0 }],
  ['60 of 100, as half before', { received: 40, unlisted: 60 }, { received: 50, unlisted: 50 }, undefined],
  ['25 of 30, as half before', { received: 5, unlisted: 25 }, { received: 50, unlisted: 50 }, undefined],
  ['65 of 100, as half before', { received: 35, unlisted: 65 }, { received: 50, unlisted: 50 }, undefined],
  [
    ...(['80 of 100, as half before', { received: 20, unlisted: 80 }, { received: 50, unlisted: 50 }] as const),
    { lacking: 80, of: 100, expected: 50 },
  ],
  [
    '21 of 100, of none before',
    { received: 79, unlisted: 21 },
    { received: 0, unlisted: 0 },
    { lacking: 21, of: 100, expected: 0 },
  ],
  ['none of none', { received: 0, unlisted: 0 }, undefined, undefined],
])('%s', (_, tonight, before, gap) => {
  expect(findListingGaps(tonight, before).unlisted).toEqual(gap);
});

it('a list that is longer than the overview lacks none', () => {
  expect(findListingGaps({ received: 100, overview: 50 }, undefined)).toEqual({});
  expect(findListingGaps({ received: 50, overview: 100 }, undefined)).toEqual({
    shortfall: { lacking: 50, of: 100, expected: 0 },
  });
});
