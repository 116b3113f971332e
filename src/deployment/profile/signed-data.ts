/**
 * A signed profile is a CMS SignedData around the property list (RFC 5652, section 5). Muster unwraps it to
 * read it; the device verifies the signature.
 */
import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, OctetString } from 'asn1js';

const signedDataType = '1.2.840.113549.1.7.2';

/** The signed content, or undefined where the bytes are not SignedData with content. */
export function unwrapSignedData(bytes: Uint8Array): Uint8Array | undefined {
  const { result, offset } = fromBER(new Uint8Array(bytes));
  if (offset === -1) {
    return undefined;
  }
  // ContentInfo { type, [0] SignedData { version, algorithms, { type, [0] OCTET STRING }, … } }
  const [type, content] = listChildBlocks(result);
  if (!(type instanceof ObjectIdentifier) || type.valueBlock.toString() !== signedDataType) {
    return undefined;
  }
  const [data] = listChildBlocks(content);
  const encapsulated = listChildBlocks(data)[2];
  const [octets] = listChildBlocks(listChildBlocks(encapsulated)[1]);
  return octets instanceof OctetString ? new Uint8Array(octets.getValue()) : undefined;
}

function listChildBlocks(block: BaseBlock | undefined): readonly BaseBlock[] {
  return block instanceof Constructed ? block.valueBlock.value : [];
}
