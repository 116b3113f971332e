/** CloudFormation's functions: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html */

export const sub = (text: string): unknown => ({ 'Fn::Sub': text });

export const ref = (name: string): unknown => ({ Ref: name });

export const getArn = (resource: string): unknown => ({ 'Fn::GetAtt': [resource, 'Arn'] });

export const when = (condition: string, value: unknown, otherwise: unknown = ref('AWS::NoValue')): unknown => ({
  'Fn::If': [condition, value, otherwise],
});
