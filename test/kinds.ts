/** The kinds of source that tests go through: those of the registry, and the example. A folder has a kind's own files. */
import { type AnySourceKind, createRulesTable, sourceKinds } from '../src/compose/source-kinds.ts';
import { fleetKind } from './example-kind/kind.ts';

interface KindUnderTest {
  readonly kind: AnySourceKind;
  readonly folder: string;
  /** Where its tests are. */
  readonly tests: string;
}

export const kindsUnderTest: readonly KindUnderTest[] = [
  ...sourceKinds.map((kind) => ({ kind, folder: `src/sources/${kind.kind}`, tests: `test/sources/${kind.kind}` })),
  { kind: fleetKind, folder: 'test/example-kind', tests: 'test/example-kind' },
];

export const rulesUnderTest = createRulesTable(kindsUnderTest.map(({ kind }) => kind));
