/** The topic of the alarms, to which people subscribe; a run's own messages can use it too (alerts.channels in muster.yaml). */
import {
  findAuditKey,
  getArn,
  ofThisAccount,
  policyDocument,
  type Resources,
  ref,
  refuseWithoutTls,
  sub,
  type TemplatePart,
} from './intrinsics.ts';
import { nameStack, type StackSettings } from './stack-settings.ts';

export function renderTopics(stack: StackSettings): TemplatePart {
  const name = nameStack(stack);
  return {
    Resources: {
      AlertTopic: {
        Type: 'AWS::SNS::Topic',
        Properties: { TopicName: `${name}-alerts`, KmsMasterKeyId: ref('Key') },
      },
      AlertTopicPolicy: renderTopicPolicy('AlertTopic', {
        Sid: 'AlarmsOfThisAccount',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: ofThisAccount },
      }),
      // A topic for events about the keys. It is under no key, since a key that is to be deleted is refused at once,
      // and the topic above with it. Its messages contain no device, only the action, the principal and the key.
      KeyTopic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: `${name}-keys` } },
      KeyTopicPolicy: renderTopicPolicy('KeyTopic', {
        Sid: 'EventsOfThisAccount',
        Principal: { Service: 'events.amazonaws.com' },
        Condition: { ArnEquals: { 'aws:SourceArn': getArn('KeyRule') } },
      }),
      KeyRule: renderKeyRule(stack),
      ...(stack.alarmEmail === '' ? {} : renderSubscriptions(stack.alarmEmail)),
    },
    Outputs: {
      KeyTopic: { Value: ref('KeyTopic'), Description: 'Subscribe here to hear of a key that is to be deleted' },
      AlertTopic: { Value: ref('AlertTopic'), Description: 'Subscribe here to receive the alarms' },
    },
  };
}

function renderTopicPolicy(topic: string, publisher: object): object {
  return {
    Type: 'AWS::SNS::TopicPolicy',
    Properties: {
      Topics: [ref(topic)],
      PolicyDocument: policyDocument([
        { ...publisher, Effect: 'Allow', Action: 'sns:Publish', Resource: ref(topic) },
        refuseWithoutTls('sns:Publish', ref(topic)),
      ]),
    },
  };
}

function renderSubscriptions(address: string): Resources {
  const subscribe = (topic: string) => ({
    Type: 'AWS::SNS::Subscription',
    Properties: { TopicArn: ref(topic), Protocol: 'email', Endpoint: sub(address) },
  });
  return { AlarmSubscription: subscribe('AlertTopic'), KeySubscription: subscribe('KeyTopic') };
}

/** Renders a rule that needs a CloudTrail trail in this region, which most accounts have. */
function renderKeyRule(stack: StackSettings): object {
  const name = nameStack(stack);
  const keys = [getArn('Key'), stack.reports.key, findAuditKey(stack), stack.signingKey];
  return {
    Type: 'AWS::Events::Rule',
    Properties: {
      Name: `${name}-key-scheduled-for-deletion`,
      Description: 'Somebody disables a key that runs use or schedules its deletion',
      EventPattern: {
        source: ['aws.kms'],
        'detail-type': ['AWS API Call via CloudTrail'],
        detail: {
          eventSource: ['kms.amazonaws.com'],
          eventName: ['ScheduleKeyDeletion', 'DisableKey'],
          resources: {
            ARN: keys.filter((key) => key !== undefined),
          },
        },
      },
      Targets: [
        {
          Id: 'topic',
          Arn: ref('KeyTopic'),
          InputTransformer: {
            InputPathsMap: {
              what: '$.detail.eventName',
              who: '$.detail.userIdentity.arn',
              key: '$.detail.resources[0].ARN',
            },
            InputTemplate: `"<what> on <key> by <who>. Without its keys ${name} publishes and tells nothing; what a deleted key encrypted cannot be read again, and what it signed goes on under another key only. If this is not meant: aws kms cancel-key-deletion, then aws kms enable-key."`,
          },
        },
      ],
    },
  };
}
