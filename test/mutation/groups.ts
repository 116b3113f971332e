/** What mutation testing covers: the files of each group, the tests that hold them, and the score that each must have. */
import { globSync } from 'node:fs';
import { join } from 'node:path';

export interface Group {
  readonly files: readonly string[];
  /** The quick ones: random histories, kills and sweeps take seconds for each mutant. */
  readonly tests: readonly string[];
  /**
   * Killed mutants in per cent of those that some test could kill: what was reached, and may only rise. The goal is 90 in
   * core and commit and 85 in all. Absent while the group was not measured.
   */
  readonly minimumScore?: number;
}

export const groups = {
  core: {
    files: ['src/core/*.ts', 'src/core/{facts,ledger,lists,machine,record,source,text}/*.ts'],
    tests: ['test/core/*.test.ts'],
    minimumScore: 96,
  },
  alerts: {
    files: ['src/core/alerts/*.ts', 'src/alerts/message/*.ts', 'src/alerts/delivery/compose-message.ts'],
    tests: [
      'test/core/*.test.ts',
      'test/alerts/{channel-down,channels,compose-message,decide-due,digests,html,lines,mail,messages}.test.ts',
      'test/alerts/{pagerduty,planted-files,receivers,summary,text}.test.ts',
    ],
    minimumScore: 95,
  },
  sources: {
    files: [
      'src/sources/jamf/{account,devices,groups,instrument,inventory,parse,rules}.ts',
      'src/sources/jamf/deployment/parse.ts',
      'src/microsoft/{certificate,entra-refusals}.ts',
      'src/sources/intune/{apps,instrument,parse,rules}.ts',
      'src/sources/intune/list/*.ts',
      'src/sources/intune/report/{compare-rows,proof,rows}.ts',
      'src/sources/reading/{fields,walk}.ts',
    ],
    tests: [
      'test/sources/reading/fields.test.ts',
      'test/sources/jamf/{account,attribute,classic,groups,inventory,pace,parse,proof,service,source,walk}.test.ts',
      'test/microsoft/{identity,sign-in}.test.ts',
      'test/sources/intune/{apps,moving-devices,parse,ranges,report,slow-exports,source,tenants,two-ways,zip}.test.ts',
    ],
    minimumScore: 93,
  },
  checks: {
    files: ['src/deployment/checks/**/*.ts', 'src/deployment/windows-places.ts'],
    tests: [
      'test/sources/jamf/service.test.ts',
      'test/deployment/{coverage,file-access-profile,intune-assignments,intune-rules,jamf-policy,jamf-rules,macos,prerequisites,profiles,rule,script,templates,windows}.test.ts',
      'test/sources/jamf/classic.test.ts',
    ],
    minimumScore: 97,
  },
  commit: {
    files: [
      'src/alerts/delivery/{channel-folder,decide-due,merge-range}.ts',
      'src/storage/deliveries/*.ts',
      'src/storage/{keys,stored-json}.ts',
      'src/storage/commits/*.ts',
      'src/storage/runs/{publish,run-files,events-record,copies,retention}.ts',
      'src/storage/verify/*.ts',
      'src/storage/folder/atomic-write.ts',
      'src/storage/s3/s3-write.ts',
    ],
    tests: [
      'test/alerts/{channel-down,decide-due,planted-files}.test.ts',
      'test/night/{housekeeping,retention,retract}.test.ts',
      'test/storage/{attacks,audit,check-log,commits,copies,folder,folder-failures,head,head-trust,keys,log,records}.test.ts',
      'test/storage/{s3-bodies,s3-conditional,s3-housekeeping}.test.ts',
      'test/storage/{rebuild,retention,run-files,signatures,state,unread,verify,verify-rules}.test.ts',
    ],
    minimumScore: 98,
  },
} satisfies Record<string, Group>;

export type GroupName = keyof typeof groups;

const root = join(import.meta.dirname, '../..');

export function isGroup(name: string): name is GroupName {
  return name in groups;
}

export function listFiles(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
}

/** Those that take more than a second, in the order in which they run for a mutant that no other has killed. */
const slowTests = [
  'test/core/lists.test.ts',
  'test/alerts/{channel-down,messages,planted-files,receivers}.test.ts',
  'test/core/{kept-entries,reconcile-runs}.test.ts',
  'test/alerts/{channels,mail}.test.ts',
  'test/core/histories.test.ts',
];

/** Quick ones first. */
export function listTests({ tests }: Pick<Group, 'tests'>): string[] {
  const all = listFiles(tests).filter((file) => !file.endsWith('.properties.test.ts'));
  const slow = slowTests.flatMap((pattern) => listFiles([pattern])).filter((file) => all.includes(file));
  return [...all.filter((file) => !slow.includes(file)), ...slow];
}

/** The group that a file belongs to. */
export function findGroup(file: string): GroupName | undefined {
  return (Object.keys(groups) as GroupName[]).find((name) => listFiles(groups[name].files).includes(file));
}
