/** The app's uninstall command: docs/coverage.md, section 1.2. The finding quotes nothing of it. */
import { windows } from '../../definition.ts';
import { findUninstallFile } from '../../windows-places.ts';
import type { Check } from '../check.ts';
import { reportNotChecked } from '../verdicts.ts';
import { judgeEachApp } from './each-app.ts';
import type { IntuneReading } from './reading.ts';

export const uninstallCommand: Check<IntuneReading> = {
  id: 'windows.uninstall-command',
  expected: 'the documented uninstall command, silent',
  blindSpot: 'whether the uninstaller is there and works',
  settings: ['deployment.windows.vendorFolder', 'deployment.windows.uninstallFile'],
  judge({ apps }, { settings }) {
    const file = findUninstallFile(settings);
    if (file === undefined) {
      return reportNotChecked('deployment.windows.vendorFolder');
    }
    const advice = `Enter the uninstaller with its folder, and ${windows.uninstallSwitch} alone behind it; \`muster artifacts uninstall-command.txt\` renders it.`;
    return judgeEachApp(apps, (app) => findUninstallProblems(app.uninstallCommand, file), 'as documented', advice);
  },
};

/** Windows ignores case in a path. The uninstaller does not in its switch: with /s it opens a window and waits. */
function findUninstallProblems(command: string, file: string): string[] {
  const text = command.replace(/^[ \t]+|[ \t]+$/g, '');
  const program = [file, `"${file}"`].find((one) => text.slice(0, one.length).toLowerCase() === one.toLowerCase());
  const rest = text.slice(program?.length ?? 0);
  if (program === undefined || !/^([ \t]|$)/.test(rest)) {
    return ['it is a different command'];
  }
  const given = rest.replace(/^[ \t]+/, '');
  if (given === windows.uninstallSwitch) {
    return [];
  }
  return given.toLowerCase() === windows.uninstallSwitch.toLowerCase()
    ? [`its switch must be ${windows.uninstallSwitch}, in upper case`]
    : [`it must be followed by ${windows.uninstallSwitch} alone`];
}
