/**
 * OCSF, class Compliance Finding (2003), as JSON schema: the attributes that Muster writes, with what the class and its
 * objects require of them, and no deprecated one. Versions 1.6.0 and 1.8.0 have all of these attributes and require the
 * same ones; a record names the version that it was written by, which a reader of 1.6.0 takes as a text.
 * https://schema.ocsf.io/1.6.0/classes/compliance_finding, https://schema.ocsf.io/1.8.0/classes/compliance_finding
 */
const text = { type: 'string', minLength: 1 } as const;
/** Milliseconds; seconds would be a moment of 1970. */
const time = { type: 'integer', minimum: 1_000_000_000_000, maximum: 9_999_999_999_999 } as const;

function object(required: readonly string[], properties: Readonly<Record<string, unknown>>) {
  return { type: 'object', required, properties, additionalProperties: false } as const;
}

const schemaVersions = {
  '1.6.0': { type: 'string', pattern: String.raw`^\d+\.\d+\.\d+$` },
  '1.8.0': { const: '1.8.0' },
} as const;

export const ocsfVersions = Object.keys(schemaVersions) as (keyof typeof schemaVersions)[];

export const buildComplianceFinding = (version: keyof typeof schemaVersions) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...object(
    [
      ...['activity_id', 'category_uid', 'class_uid', 'compliance', 'finding_info', 'metadata', 'severity_id'],
      ...['time', 'type_uid'],
    ],
    {
      activity_id: { enum: [1, 2, 3] },
      category_uid: { const: 2 },
      class_uid: { const: 2003 },
      type_uid: { enum: [200_301, 200_302, 200_303] },
      time,
      severity_id: { enum: [0, 1, 2, 3, 4, 5, 6] },
      status_id: { enum: [1, 2, 3, 4, 5, 6] },
      metadata: object(['product', 'version'], {
        version: schemaVersions[version],
        // At least one of name and uid.
        product: object(['name'], { name: text, version: text, vendor_name: text, uid: text }),
        correlation_uid: text,
      }),
      finding_info: object(['uid'], { uid: text, title: text, first_seen_time: time, last_seen_time: time }),
      compliance: object([], {
        control: text,
        status_id: { enum: [0, 1, 2, 3] },
        status_details: { type: 'array', items: text },
      }),
      resources: {
        type: 'array',
        minItems: 1,
        items: object([], {
          uid: text,
          name: { type: 'string' },
          type: text,
          owner: object(['name'], { name: { type: 'string' } }),
          data: { type: 'object' },
        }),
      },
    },
  ),
  // type_uid = class_uid × 100 + activity_id; closed means resolved.
  oneOf: [1, 2, 3].map((activity) => ({
    properties: {
      activity_id: { const: activity },
      type_uid: { const: 200_300 + activity },
      status_id: activity === 3 ? { const: 4 } : { enum: [1, 3] },
    },
  })),
});
