/** Signs in with a certificate and its private key, both as PEM in one secret. */
import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type ClientAuth, modifyAssertion, PrivateKeyJwt } from 'oauth4webapi';
import { MusterError } from '../base/errors.ts';

/** Seconds; Entra accepts up to ten minutes, and clocks may differ by a minute. */
const assertionLifetimeSeconds = 300;

/**
 * Makes the assertion that Entra requires: https://learn.microsoft.com/entra/identity-platform/certificate-credentials
 */
export function createCertificateProof(pem: string, audience: string, who: string, now: Date): ClientAuth {
  const { key, certificate } = parseKeyAndCertificate(pem, who);
  if (Date.parse(certificate.validTo) <= now.getTime()) {
    const end = new Date(certificate.validTo).toISOString().slice(0, 10);
    throw createCertificateError(who, `expired on ${end}. Create a new one and upload it to the app registration`);
  }
  const thumbprint = createHash('sha256').update(certificate.raw).digest('base64url');
  const signing = key.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, ['sign']);
  return PrivateKeyJwt(signing, {
    [modifyAssertion]: (header, payload) => {
      header.typ = 'JWT';
      header['x5t#S256'] = thumbprint;
      payload.aud = audience;
      payload.exp = Number(payload.iat) + assertionLifetimeSeconds;
    },
  });
}

function parseKeyAndCertificate(
  text: string,
  who: string,
): { readonly key: KeyObject; readonly certificate: X509Certificate } {
  // Environment variables often contain line breaks as the two characters `\n`.
  const pem = text.includes('\n') ? text : text.replaceAll('\\n', '\n');
  const blocks = [...pem.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g)];
  const texts = (pattern: RegExp) => blocks.filter(([, label = '']) => pattern.test(label)).map(([block]) => block);
  const [keyText] = texts(/PRIVATE KEY$/);
  const certificateTexts = texts(/^CERTIFICATE$/);
  if (keyText === undefined || certificateTexts.length === 0) {
    throw createCertificateError(who, 'must be PEM text with a private key and a certificate, both in one secret');
  }
  const key = tryParse(() => createPrivateKey(keyText));
  if (key === undefined) {
    throw createCertificateError(who, 'has a private key that is damaged, or encrypted with a passphrase');
  }
  if (key.asymmetricKeyType !== 'rsa') {
    throw createCertificateError(who, 'has a private key that is not RSA, which Entra requires');
  }
  const certificates = certificateTexts.map((block) => tryParse(() => new X509Certificate(block)));
  // The secret may contain the certificate's chain too.
  const certificate = certificates.find((candidate) => candidate?.checkPrivateKey(key));
  if (certificate === undefined) {
    throw createCertificateError(who, 'has a private key that belongs to another certificate');
  }
  return { key, certificate };
}

/** Undefined after an error; OpenSSL's messages may quote the input, and are dropped. */
function tryParse<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function createCertificateError(who: string, why: string): MusterError {
  return new MusterError('secret-unreadable', `The certificate for ${who} ${why}. Its contents are not shown here.`);
}
