import { describe, expect, it } from 'vitest';
import { decide, type PolicyDocument, type RecordedCall, type Request, requestOf, unused } from './policy.ts';

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

describe('policies', () => {
  it('allow what a statement names, and nothing else', () => {
    expect(decide([read], get('arn:aws:s3:::b/runs/2026-11-20/x'))).toBe('allowed');
    expect(decide([read], get('arn:aws:s3:::b/settings/x'))).toBe('not allowed');
    expect(decide([read], { ...get('arn:aws:s3:::b/runs/x'), action: 's3:DeleteObject' })).toBe('not allowed');
    expect(decide([], get('arn:aws:s3:::b/runs/x'))).toBe('not allowed');
  });

  it('take patterns for patterns and dots for dots', () => {
    const one = (Resource: string): PolicyDocument => ({
      Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource }],
    });
    expect(decide([one('arn:aws:s3:::b/a.c')], get('arn:aws:s3:::b/abc'))).toBe('not allowed');
    expect(decide([one('arn:aws:s3:::b/a?c')], get('arn:aws:s3:::b/abc'))).toBe('allowed');
    expect(decide([one('arn:aws:s3:::b/*/date=*/*')], get('arn:aws:s3:::b/devices/date=1/x'))).toBe('allowed');
    expect(decide([one('arn:aws:s3:::b/*/date=*/*')], get('arn:aws:s3:::b/latest/x'))).toBe('not allowed');
  });

  it('are denied by one statement that fits, wherever it stands', () => {
    const tls = denying({ Bool: { 'aws:SecureTransport': 'false' } });
    const key = 'arn:aws:s3:::b/runs/x';
    expect(decide([read, tls], get(key, { 'aws:SecureTransport': 'false' }))).toBe('denied');
    expect(decide([read, tls], get(key, { 'aws:SecureTransport': 'true' }))).toBe('allowed');
  });

  it.each([
    ['Null', 'true', undefined, true],
    ['Null', 'true', '*', false],
    ['Null', 'false', '*', true],
    ['StringEquals', 'a', undefined, false],
    ['StringEquals', 'a', 'a', true],
    // The trap: a condition against an absent key holds, so that a Deny with it alone refuses every plain write.
    ['StringNotEquals', 'a', undefined, true],
    ['StringNotEquals', 'a', 'a', false],
    ['StringLike', 'p/*', 'p/x', true],
    ['StringLike', '*', '', true],
    ['StringLike', '*', undefined, false],
    ['StringLikeIfExists', 'p/*', undefined, true],
    ['StringLikeIfExists', 'p/*', 'q/', false],
    ['StringLikeIfExists', 'p/*', 'p/', true],
    ['ArnNotEquals', 'arn:a', 'arn:a', false],
    ['ArnNotEquals', 'arn:a', 'arn:b', true],
    ['ArnNotLike', 'arn:role/*', 'arn:role/a', false],
    ['ArnNotLike', 'arn:role/*', 'arn:user/a', true],
    ['NumericLessThan', '1.2', '1.1', true],
    ['NumericLessThan', '1.2', '1.2', false],
    ['NumericLessThan', '1.2', undefined, false],
    ['Bool', 'true', undefined, false],
    ['ForAllValues:StringEquals', 'a', undefined, true],
    ['ForAllValues:StringEquals', 'a', 'b', false],
    ['ForAnyValue:StringEquals', 'a', undefined, false],
    ['ForAnyValue:StringEquals', 'a', 'a', true],
  ] as const)('%s %s of %s holds: %s', (operator, wanted, found, holds) => {
    const context = found === undefined ? {} : { key: found };
    const decision = decide([denying({ [operator]: { key: wanted } })], get('arn:aws:s3:::b/x', context));
    expect(decision).toBe(holds ? 'denied' : 'not allowed');
  });

  it('of all conditions each must hold', () => {
    const both = denying({ Null: { 's3:if-none-match': 'true', 's3:if-match': 'true' } });
    expect(decide([read, both], get('arn:aws:s3:::b/runs/x'))).toBe('denied');
    expect(decide([read, both], get('arn:aws:s3:::b/runs/x', { 's3:if-match': 'e' }))).toBe('allowed');
  });

  it('refuse a condition that this matcher does not know', () => {
    expect(() => decide([denying({ DateLessThan: { key: '1' } })], get('arn:aws:s3:::b/x'))).toThrow('DateLessThan');
  });

  it('say what is allowed without need', () => {
    const call: RecordedCall = { action: 's3:GetObject', bucket: 'b', key: 'runs/x' };
    expect(unused(read, [requestOf(call, 'arn:role')])).toEqual(['Read: s3:PutObject']);
  });

  it('know a part of an upload from the write of an object', () => {
    const part: RecordedCall = { action: 's3:PutObject', bucket: 'b', key: 'x', operation: 'UploadPart' };
    expect(requestOf(part, 'arn:role').context['s3:ObjectCreationOperation']).toBe('false');
    const whole: RecordedCall = { ...part, operation: 'PutObject', conditional: 'If-None-Match' };
    expect(requestOf(whole, 'arn:role').context).toMatchObject({
      's3:ObjectCreationOperation': 'true',
      's3:if-none-match': '*',
    });
  });
});
