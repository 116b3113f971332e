/** The environment variables of a run, which a function and a task have in common. */
import { tenantSettingsFolder } from '../../src/settings/tenants.ts';
import { ref, sub } from './intrinsics.ts';

/** `tenantsSha256` is the SHA-256 of the list of the tenants' settings files, where there are tenants. */
export function renderEnvironment(
  serviceName: unknown,
  tenantsSha256: string | undefined,
): Readonly<Record<string, unknown>> {
  const tenants = {
    MUSTER_TENANTS: sub(`s3://\${ReportBucketName}/${tenantSettingsFolder}`),
    MUSTER_TENANTS_SHA256: tenantsSha256,
  };
  return {
    MUSTER_SETTINGS: sub('s3://${ReportBucketName}/settings/muster.yaml'),
    // The hash of the file that a deployment uploads; another file is refused.
    MUSTER_SETTINGS_SHA256: ref('SettingsSha256'),
    POWERTOOLS_SERVICE_NAME: serviceName,
    POWERTOOLS_METRICS_NAMESPACE: 'Muster',
    ...(tenantsSha256 ? tenants : {}),
  };
}
