/**
 * A profile around which a signature stands, RFC 5652: ContentInfo { type, [0] SignedData { version, algorithms,
 * { type, [0] OCTET STRING } } }. The string may come in pieces.
 */
import { Constructed, ObjectIdentifier, OctetString, Sequence } from 'asn1js';

export function wrapInSignature(profile: string, ...more: string[]): Buffer {
  const [octets, ...others] = [profile, ...more].map(
    (piece) => new OctetString({ valueHex: new Uint8Array(Buffer.from(piece)) }),
  );
  const content = explicit(
    others.length === 0 ? octets : new OctetString({ isConstructed: true, value: [octets, ...others] } as object),
  );
  const inner = new Sequence({ value: [new ObjectIdentifier({ value: '1.2.840.113549.1.7.1' }), content] });
  const signedData = explicit(new Sequence({ value: [new Sequence(), new Sequence(), inner] }));
  const outer = new Sequence({ value: [new ObjectIdentifier({ value: '1.2.840.113549.1.7.2' }), signedData] });
  return Buffer.from(outer.toBER());
}

function explicit(value: Sequence | OctetString | undefined): Constructed {
  return new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [value] } as object);
}
