/** What a finding says of a reading that could not be made, which a healing start makes again. */
import { expect, test } from 'vitest';
import { checkApps } from '../../src/deployment/checks/app.ts';
import { notReadYet, reportUnknown, toReadFailure } from '../../src/deployment/finding.ts';
import { MusterError } from '../../src/errors.ts';

test.each([notReadYet, toReadFailure(new MusterError('throttled', 'later'))])('it is unread: %j', (failure) => {
  expect(checkApps(failure)).toMatchObject({ result: 'unknown', unread: true });
});

test('what was read and nobody can judge is unknown, and not unread', () => {
  const finding = reportUnknown('windows.detection-rule', { why: 'another rule', advice: '' });
  expect(finding).toMatchObject({ result: 'unknown' });
  expect(finding).not.toHaveProperty('unread');
});
