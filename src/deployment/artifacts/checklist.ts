/** The ordered steps of the deployment interface for this company, on both platforms: who signs in, what to click, how to verify. */
import { prerequisites } from '../definition.ts';
import type { Company } from './render.ts';
import { renderMacosSteps, renderWindowsSteps } from './steps.ts';

export function renderChecklist(company: Company): string {
  const { identity } = company.deployment;
  const lines = [
    `# Deploying ${company.agent}`,
    '',
    'From the deployment interface of the data-protection service, with the values of the settings. A value in `<ANGLE BRACKETS>` is a secret, or is not set: fill it in where you enter it, and keep it out of files.',
    '',
    '## 1. Prerequisites',
    '',
    ...(identity === undefined
      ? ['Choose the identity mode first (`deployment.identity`: email or directory).', '']
      : []),
    ...renderPrerequisites(company),
    '',
    ...renderWindowsSteps(company),
    '',
    ...renderMacosSteps(company),
    '',
    '## 4. Verification',
    '',
    '- [ ] `muster check` reports `pass` for every check above, and lists what is left to verify by hand.',
    '- [ ] Record in `deployment.attested` what no platform shows, with the date.',
    '',
  ];
  return lines.join('\n');
}

function renderPrerequisites({ deployment }: Company): string[] {
  const modes = [
    ['email', 'E-mail-based identity, all required before deployment:'],
    ['directory', 'Directory-based identity, in this order:'],
  ] as const;
  return modes
    .filter(([mode]) => deployment.identity === undefined || deployment.identity === mode)
    .flatMap(([mode, title]) => [
      title,
      '',
      ...prerequisites
        .filter((prerequisite) => prerequisite.mode === mode)
        .map(({ id, text }, index) => `${index + 1}. [ ] ${capitalize(text)}. (\`${id}\`)`),
    ]);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
