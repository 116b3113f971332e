/** A self-signed certificate, written byte by byte (X.509, DER), so that no private key lies in the repository. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface MadeCertificate {
  /** The certificate and its key, as a person would store them. */
  readonly pem: string;
  readonly keyPem: string;
  readonly certificatePem: string;
  readonly publicKey: KeyObject;
  /** SHA-256 of the certificate's bytes, base64url: what Entra knows it by. */
  readonly thumbprint: string;
}

const day = 24 * 60 * 60 * 1000;

/** `hosts` are the names that it is for, of which one may begin with `*.`. */
export function makeCertificate(
  ends: Date = new Date(Date.now() + 365 * day),
  hosts: readonly string[] = [],
): MadeCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = sequence(object(1, 2, 840, 113549, 1, 1, 11), tagged(0x05));
  const name = sequence(tagged(0x31, sequence(object(2, 5, 4, 3), tagged(0x0c, Buffer.from('muster-test')))));
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.of(1)),
    algorithm,
    name,
    sequence(time(new Date(ends.getTime() - 730 * day)), time(ends)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(hosts.length === 0 ? [] : [tagged(0xa3, sequence(alternativeNames(hosts)))]),
  );
  const signature = tagged(0x03, Buffer.of(0), sign('sha256', body, privateKey));
  const certificate = sequence(body, algorithm, signature);
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  const certificatePem = `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  const thumbprint = createHash('sha256').update(certificate).digest('base64url');
  return { pem: keyPem + certificatePem, keyPem, certificatePem, publicKey, thumbprint };
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length;
  const sizes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...sizes), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

/** RFC 5280, section 4.2.1.6. */
function alternativeNames(hosts: readonly string[]): Buffer {
  const names = sequence(...hosts.map((host) => tagged(0x82, Buffer.from(host))));
  return sequence(object(2, 5, 29, 17), tagged(0x04, names));
}

function object(first: number, second: number, ...rest: readonly number[]): Buffer {
  const numbers = rest.flatMap((number) => {
    const sevens = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) {
      sevens.unshift((left & 0x7f) | 0x80);
    }
    return sevens;
  });
  return tagged(0x06, Buffer.of(first * 40 + second, ...numbers));
}

function time(date: Date): Buffer {
  return tagged(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
}
