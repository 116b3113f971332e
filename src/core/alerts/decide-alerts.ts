/** The rules of alerts, each with its verdict on a run, and the run's notices. Pure, like all judgement. */

import { indexBy } from '../../base/index-by.ts';
import type { CompanyFacts } from '../facts/company.ts';
import type { PlatformFacts } from '../facts/facts.ts';
import type { LaterAlerts } from '../facts/judged.ts';
import type { MovedLedger } from '../ledger/ledger.ts';
import type { AlertInput } from './alert-input.ts';
import type { AlertVerdicts } from './alert-rule.ts';
import { decideDeviceAlerts, judgeMachines } from './device-alerts.ts';
import { listLaterAlerts } from './later-alerts.ts';
import { decideListSoundness, decideUnenrolledAlerts } from './list-alerts.ts';
import { listNotices } from './notices.ts';
import { decideOverdueAlert } from './overdue-alerts.ts';
import { decideAcknowledgementAlerts, decideExemptionAlerts } from './row-alerts.ts';
import { decideCoverageAlert, decideStatementAlerts } from './run-alerts.ts';
import { decideSilentAlerts } from './silent-alerts.ts';
import { decideDriftAlerts, decideSoundnessAlerts } from './source-alerts.ts';

interface DecidedRun
  extends Omit<AlertInput, 'facts' | 'entries' | 'gone' | 'machinesByName' | 'open'>,
    Pick<MovedLedger, 'ledger' | 'gone'> {
  readonly platforms: PlatformFacts;
  readonly company: CompanyFacts;
}

export function decideAlerts({ platforms, company, ledger, gone, ...run }: DecidedRun): {
  readonly verdicts: AlertVerdicts;
  readonly later: readonly LaterAlerts[];
} {
  const input: AlertInput = {
    ...run,
    facts: { ...platforms, ...company },
    machinesByName: indexBy(run.machines, ({ name }) => name),
    entries: indexBy([...(run.previous?.ledger ?? []), ...ledger], ({ name }) => name),
    gone: indexBy(gone, ({ before }) => before.name),
    open: indexBy(platforms.openAlerts ?? run.previous?.openAlerts ?? [], ({ key }) => key),
  };
  const machines = judgeMachines(input);
  return {
    verdicts: {
      rules: [
        decideSoundnessAlerts(input),
        decideDriftAlerts(input),
        decideDeviceAlerts(input, machines),
        decideOverdueAlert(input),
        decideListSoundness(input),
        decideUnenrolledAlerts(input),
        decideSilentAlerts(input),
        decideCoverageAlert(input),
        decideExemptionAlerts(input),
        decideAcknowledgementAlerts(input),
        decideStatementAlerts(input),
      ],
      notices: listNotices(input),
    },
    later: listLaterAlerts(input, machines),
  };
}
