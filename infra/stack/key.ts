/** One key for reports, logs and alarms, which cannot publish to a topic under AWS's own SNS key. */
import { accountDecides, ofThisAccount, policyDocument, ref, sub, type TemplatePart, toArn } from './intrinsics.ts';
import { nameStack, type StackSettings } from './stack-settings.ts';

export function renderKeys(stack: StackSettings): TemplatePart {
  const name = nameStack(stack);
  return {
    Resources: {
      Key: renderKey(sub('Reports, logs and alarms of ${AWS::StackName}'), [
        {
          Sid: 'AlarmsReachTheTopic',
          Effect: 'Allow',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
          Resource: '*',
          Condition: { StringEquals: ofThisAccount },
        },
        {
          Sid: 'LogsAreEncrypted',
          Effect: 'Allow',
          Principal: { Service: sub('logs.${AWS::Region}.amazonaws.com') },
          Action: ['Encrypt', 'Decrypt', 'ReEncryptFrom', 'ReEncryptTo', 'GenerateDataKey', 'DescribeKey'].map(
            (action) => `kms:${action}`,
          ),
          Resource: '*',
          Condition: {
            ArnEquals: {
              'kms:EncryptionContext:aws:logs:arn': [
                toArn('logs', `log-group:/aws/lambda/${name}-night`),
                toArn('logs', `log-group:/ecs/${name}`),
              ],
            },
          },
        },
      ]),
      KeyAlias: {
        Type: 'AWS::KMS::Alias',
        Properties: { AliasName: `alias/${name}`, TargetKeyId: ref('Key') },
      },
      // The audit bucket's own key, if the settings want one: losing the reports' key does not lose the proof.
      ...(stack.audit?.key === 'own' ? { AuditKey: renderKey(sub('Commits of ${AWS::StackName}')) } : {}),
    },
  };
}

/** Renders a key; `statements` are added to the account's own right to decide. */
export function renderKey(Description: unknown, statements: readonly unknown[] = []): object {
  return {
    Type: 'AWS::KMS::Key',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      Description,
      EnableKeyRotation: true,
      KeyPolicy: policyDocument([accountDecides, ...statements]),
    },
  };
}
