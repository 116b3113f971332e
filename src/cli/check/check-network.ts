/** Reports on the network for `muster check`, where a proxy is set: the proxy of each server. */
import { findSourceKind } from '../../compose/source-kinds.ts';
import type { PreparedRun } from '../../compose/start.ts';
import { nameProxy } from '../../http/connection-failures.ts';
import { findProxy, listProxies } from '../../http/proxy.ts';
import { parseS3Uri } from '../../storage/s3/s3-store.ts';
import { type CheckReport, tryOut } from './check-report.ts';

type Asked = readonly [name: string, address: string];

/** Reports the proxies of sources and store; empty without a proxy. Proxies of channels are reported with the channels. */
export async function checkNetwork({ settings }: Pick<PreparedRun, 'settings'>): Promise<CheckReport> {
  if (listProxies().length === 0) {
    return { facts: [], problems: [] };
  }
  const { sources, deployment, store, audit } = settings;
  const asked = sources.flatMap((source) =>
    findSourceKind(source.platform)
      .listOrigins(source)
      .map((origin): Asked => [source.name, origin]),
  );
  const service: Asked[] = deployment.service === undefined ? [] : [['deployment.service', deployment.service]];
  return tryOut('Finding the address of the store', async () => {
    const stores = await Promise.all([findStoreAddress('store', store), findStoreAddress('audit', audit)]);
    return { facts: [...asked, ...service, ...stores.flat()].map(formatAsked) };
  });
}

function formatAsked([name, address]: Asked): string {
  const { origin } = new URL(address);
  return `${name}: ${origin}${nameProxy(findProxy(new URL(address))) || ' directly'}`;
}

/** The store's address as the S3 client itself computes it; nothing for a folder. */
async function findStoreAddress(name: string, place: string | undefined): Promise<Asked[]> {
  const location = parseS3Uri(place ?? '');
  if (location === undefined) {
    return [];
  }
  const { createS3Client } = await import('../../storage/s3/s3-request.ts');
  const { config } = createS3Client();
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 || process.env.AWS_ENDPOINT_URL;
  const { url } = config.endpointProvider({
    Bucket: location.bucket,
    Region: await config.region(),
    ...(endpoint ? { Endpoint: endpoint } : {}),
  });
  return [[name, url.href]];
}
