/** The matcher that these tests decide by: as IAM does, and never by a guess. */
import { describe, expect, it } from 'vitest';
import { decide, type PolicyDocument, type RecordedCall, type Request, requestOf, unused } from './policy.ts';

describe('the policies of these tests', () => {
  const read: PolicyDocument = {
    Statement: [
      { Sid: 'Read', Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: 'arn:aws:s3:::b/runs/*' },
    ],
  };
  const get = (resource: string, context: Request['context'] = {}): Request => ({
    action: 's3:GetObject',
    resource,
    context,
  });

  function denying(Condition: Record<string, Record<string, string | string[]>>): PolicyDocument {
    return { Statement: [{ Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: '*', Condition }] };
  }

  it('allow what a statement names, and nothing else', () => {
    expect(decide([read], get('arn:aws:s3:::b/runs/2026-11-20/x'))).toBe('allowed');
    expect(decide([read], get('arn:aws:s3:::b/settings/x'))).toBe('not allowed');
    expect(decide([read], { ...get('arn:aws:s3:::b/runs/x'), action: 's3:DeleteObject' })).toBe('not allowed');
    expect(decide([], get('arn:aws:s3:::b/runs/x'))).toBe('not allowed');
  });

  it.each([
    ['Null', 'true', '*', false],
    ['Null', 'false', '*', true],
    ['StringEquals', 'a', 'a', true],
    // The trap: a condition against an absent key holds, so that a Deny with it alone refuses every plain write.
    ['StringNotEquals', 'a', undefined, true],
    ['StringLike', 'p/*', 'p/x', true],
    ['StringLikeIfExists', 'p/*', undefined, true],
    ['StringLikeIfExists', 'p/*', 'q/', false],
    ['ArnNotEquals', 'arn:a', 'arn:a', false],
    ['ArnNotLike', 'arn:role/*', 'arn:role/a', false],
    ['NumericLessThan', '1.2', '1.1', true],
    ['NumericLessThan', '1.2', '1.2', false],
    ['Bool', 'true', undefined, false],
    ['ForAllValues:StringEquals', 'a', undefined, true],
    ['ForAnyValue:StringEquals', 'a', undefined, false],
  ] as const)('%s %s of %s holds: %s', (operator, wanted, found, holds) => {
    const context = found === undefined ? {} : { key: found };
    const decision = decide([denying({ [operator]: { key: wanted } })], get('arn:aws:s3:::b/x', context));
    expect(decision).toBe(holds ? 'denied' : 'not allowed');
  });

  it('refuse a condition that this matcher does not know', () => {
    expect(() => decide([denying({ DateLessThan: { key: '1' } })], get('arn:aws:s3:::b/x'))).toThrow('DateLessThan');
  });

  it('say what is allowed without need', () => {
    const call: RecordedCall = { action: 's3:GetObject', bucket: 'b', key: 'runs/x' };
    expect(unused(read, [requestOf(call, 'arn:role')])).toEqual(['Read: s3:PutObject']);
    const wider = {
      Statement: read.Statement.map((one) => ({ ...one, Resource: ['arn:aws:s3:::b/*', 'arn:aws:s3:::c/*'] })),
    };
    expect(unused(wider, [requestOf(call, 'arn:role')])).toEqual(['Read: s3:PutObject', 'Read: arn:aws:s3:::c/*']);
  });
});
