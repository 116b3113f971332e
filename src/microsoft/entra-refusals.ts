/**
 * Advice for the codes with which Entra refuses a sign-in, as Microsoft documents them:
 * https://learn.microsoft.com/entra/identity-platform/reference-error-codes. For assertions:
 * https://learn.microsoft.com/azure/developer/java/sdk/troubleshooting-authentication-service-principal.
 */

/** Codes that mean "try again", although they come with HTTP 400 like refusals. */
const transientCodes: ReadonlySet<unknown> = new Set([50033, 90006, 90012, 90024, 90033, 90090]);

const advice: readonly (readonly [codes: readonly number[], sentence: string])[] = [
  [[7000215], 'The secret is not one of this application: store the Value of a secret, not its Secret ID.'],
  [[7000222], 'The secret has expired: create a new one in the app registration, and store its Value.'],
  [
    [700027, 700030],
    'The certificate is not one that the app registration accepts: upload it there, or sign in with one that is there and has not expired.',
  ],
  [[700024], 'The signed assertion is not valid at this time: check the clock of this machine.'],
  [[700011, 700016], 'The tenant has no application with this client id: check the client id and the tenant.'],
  [
    [70001, 7000112],
    'The application is disabled: in Entra, Enterprise applications > Properties, set "Enabled for users to sign-in" to Yes.',
  ],
  [[90002], 'Entra knows no such tenant: check its id or domain, and the cloud.'],
  [[90038, 900382, 900432], 'The tenant is in another of Microsoft’s clouds: correct the cloud in the settings.'],
  [
    [500011, 650052],
    'The tenant does not have the service that the token is for: check the tenant and the cloud, and that the service is licensed there.',
  ],
  [
    [53003, 530032],
    'A Conditional Access policy blocks the application: find it in Entra’s sign-in logs (service principal sign-ins), and let it admit the application or the address that Muster comes from.',
  ],
  [
    [70021, 700211, 700212, 700213],
    'No federated credential of the application fits the token that AWS signed: compare its issuer, subject and audience.',
  ],
];

const sentences: ReadonlyMap<unknown, string> = new Map(
  advice.flatMap(([codes, sentence]) => codes.map((code) => [code, sentence] as const)),
);

const usualAdvice = 'Check the tenant id, the client id and that the secret is current.';

export function isTransientRefusal(codes: readonly unknown[]): boolean {
  return codes.some((code) => transientCodes.has(code));
}

/** The advice of the first known code. */
export function adviseOnRefusal(codes: readonly unknown[]): string {
  return sentences.get(codes.find((code) => sentences.has(code))) ?? usualAdvice;
}
