/** A Jamf Pro server in a context path of its host. Beside it is other software, which may receive no credential. */
import type { PlatformRequest } from './request.ts';

/** The request as the server has it, or as one to the service, which belongs to no platform. */
export function enterContext(request: PlatformRequest, contextPath: string): PlatformRequest {
  if (request.origin !== 'jamf' || contextPath === '') {
    return request;
  }
  return request.path.startsWith(`${contextPath}/`)
    ? { ...request, path: request.path.slice(contextPath.length) }
    : { ...request, origin: 'service' };
}
