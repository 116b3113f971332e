/** The environment variables of a run, of which a function and a task have most. */
import { tenantSettingsFolder } from '../src/settings/tenants.ts';
import { ref, sub } from './intrinsics.ts';

/** Of the function. */
export function renderEnvironment(serviceName: string, tenantsSha256: string): Readonly<Record<string, unknown>> {
  return {
    MUSTER_SETTINGS: sub('s3://${ReportBucketName}/settings/muster.yaml'),
    // Of the file that a deployment uploads; another one is refused.
    MUSTER_SETTINGS_SHA256: ref('SettingsSha256'),
    POWERTOOLS_SERVICE_NAME: serviceName,
    POWERTOOLS_METRICS_NAMESPACE: 'Muster',
    POWERTOOLS_LOG_LEVEL: 'INFO',
    ...renderTenantsEnvironment(tenantsSha256),
  };
}

/** What a run knows of tenants: where their settings are, and the SHA-256 of the list of theirs. */
export function renderTenantsEnvironment(tenantsSha256: string | undefined): Readonly<Record<string, unknown>> {
  return tenantsSha256
    ? {
        MUSTER_TENANTS: sub(`s3://\${ReportBucketName}/${tenantSettingsFolder}`),
        MUSTER_TENANTS_SHA256: tenantsSha256,
      }
    : {};
}
