/** A Jamf Pro server in a context path of its host, beside other software, which may receive no credential. */
import type { PlatformRequest } from './request.ts';

/** Converts a request to the server's own path; other paths become requests to the service, which belongs to no platform. */
export function enterContext(request: PlatformRequest, contextPath: string): PlatformRequest {
  if (request.origin !== 'jamf' || contextPath === '') {
    return request;
  }
  return request.path.startsWith(`${contextPath}/`)
    ? { ...request, path: request.path.slice(contextPath.length) }
    : { ...request, origin: 'service' };
}
