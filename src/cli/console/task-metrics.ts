/** Metrics of a command that the stack starts as a container task: those that the function emits. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { MetricsNaming } from '../../run/reporting/emit-metrics.ts';
import { findTenant } from '../../settings/tenants.ts';

type Emitters = typeof import('../../run/reporting/emit-metrics.ts');

/** Nothing, and without loading what it takes, where a person starts the command. `given` are the settings it names. */
export async function emitTaskMetrics(
  given: string | undefined,
  emit: (emitters: Emitters, naming: MetricsNaming) => void,
): Promise<void> {
  if (!process.env.POWERTOOLS_METRICS_NAMESPACE) {
    return;
  }
  const emitters = await import('../../run/reporting/emit-metrics.ts');
  const naming = emitters.readMetricsNaming(process.env);
  if (naming === undefined) {
    return;
  }
  const tenant = findTenant(given ?? '', process.env);
  emit(emitters, { ...naming, ...omitUndefined({ tenant }) });
  emitters.emitMemory(process.resourceUsage().maxRSS * 1024, process.constrainedMemory(), naming);
}
