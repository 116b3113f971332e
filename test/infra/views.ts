/** The stack's views and saved queries, taken out of the template as Athena would find them. */
import { defaultStack } from '../../infra/plan/describe-stack.ts';
import { makeStack } from './template.ts';

interface Column {
  readonly name: string;
  readonly type: string;
}

/** What stands between the comment's words, in base 64. */
interface PrestoView {
  readonly originalSql: string;
  readonly catalog: string;
  readonly schema: string;
  readonly columns: readonly Column[];
}

interface TableInput {
  readonly Name: string;
  readonly TableType: string;
  readonly Parameters: Readonly<Record<string, string>>;
  readonly PartitionKeys: readonly { readonly Name: string; readonly Type: string }[];
  readonly ViewOriginalText?: string;
  readonly StorageDescriptor: {
    readonly Location?: string;
    readonly Columns: readonly { readonly Name: string; readonly Type: string }[];
    readonly SerdeInfo: {
      readonly SerializationLibrary?: string;
      readonly Parameters?: Readonly<Record<string, string>>;
    };
  };
}

interface NamedQuery {
  readonly Name: string;
  readonly QueryString: string;
}

const resources = Object.values(
  makeStack({ ...defaultStack, reports: { ...defaultStack.reports, bucket: 'acme-muster', prefix: 'prod/' } }),
);

function propertiesOf<Properties>(type: string): Properties[] {
  return resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties as Properties);
}

const glueTables = propertiesOf<{ TableInput: TableInput }>('AWS::Glue::Table').map(({ TableInput }) => TableInput);

export const fileTables = glueTables.filter(({ TableType }) => TableType === 'EXTERNAL_TABLE');

export const glueViews = glueTables.filter(({ TableType }) => TableType === 'VIRTUAL_VIEW');

export const namedQueries = propertiesOf<NamedQuery>('AWS::Athena::NamedQuery');

export function prestoView({ ViewOriginalText = '' }: TableInput): PrestoView {
  const encoded = /^\/\* Presto View: ([A-Za-z0-9+/=]+) \*\/$/.exec(ViewOriginalText)?.[1] ?? '';
  return JSON.parse(Buffer.from(encoded, 'base64').toString()) as PrestoView;
}
