/** What a finding says of a reading that could not be made, which a healing start makes again. */
import { expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { appCheck } from '../../src/deployment/checks/intune/app.ts';
import { extensionAttribute } from '../../src/deployment/checks/jamf/scripts.ts';
import { notReadYet, toReadFailure } from '../../src/deployment/checks/verdicts.ts';
import { judgeIntune, judgeJamf, one } from '../deployment/judging.ts';

test.each([notReadYet, toReadFailure(new MusterError('throttled', 'later'))])('it is unread: %j', (failure) => {
  expect(judgeIntune(appCheck, { apps: failure })).toMatchObject({ result: 'unknown', unread: true });
});

test('what was read and nobody can judge is unknown, and not unread', () => {
  const attribute = one({ enabled: true, dataType: 'STRING', inputType: 'SCRIPT', script: 'another' });
  const finding = judgeJamf(extensionAttribute, { attribute });
  expect(finding).toMatchObject({ result: 'unknown' });
  expect(finding).not.toHaveProperty('unread');
});
