/** Every channel against the shared suite. */
import { beforeAll, vi } from 'vitest';
import { channelContract } from '../contracts/channel.ts';
import { access, type ChannelSubject, openPlain, subjects } from './channel-subjects.ts';

beforeAll(() => {
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', access.id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', access.secret);
  vi.stubEnv('AWS_SESSION_TOKEN', access.session);
  return () => vi.unstubAllEnvs();
});

for (const subject of Object.values(subjects)) {
  holdToContract(subject);
}

holdToContract({
  ...subjects.slack,
  called: 'Slack, refusing with 200',
  refuse(status, planted, response) {
    const isFinal = status >= 400 && status < 500 && status !== 429;
    response.writeHead(isFinal ? 200 : status).end(JSON.stringify({ ok: false, error: 'no_service', planted }));
  },
});

function holdToContract({ called, settings, endpoint, ...subject }: ChannelSubject): void {
  channelContract(called, {
    ...subject,
    make(origin, idle) {
      if (endpoint !== undefined) {
        vi.stubEnv(endpoint, origin);
      }
      return openPlain(settings(origin), { idle, address: `${origin}/v2/enqueue` });
    },
  });
}
