/** Log lines as CloudWatch and its tools expect them: https://docs.aws.amazon.com/powertools/typescript/latest/features/logger/ */
import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { escapeUnsafeCharacters, type Log } from '../base/log.ts';

export function createLambdaLog(logger: Logger, context: Context): Log {
  logger.addContext(context);
  return (level, event, data) => logger[level](event, { ...data });
}

/** Keeps one thing from one invocation to the next: that the first one was the cold start. */
export function createLogger(serviceName: string): Logger {
  return new Logger({
    serviceName,
    jsonReplacerFn: (_key, value) => (typeof value === 'string' ? escapeUnsafeCharacters(value) : value),
  });
}
