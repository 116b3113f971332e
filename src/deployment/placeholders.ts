/** The placeholders for secrets and missing values, and whether a value is one that nobody has filled in. */

/** An administrator replaces these where the value is entered; Muster never does. */
export const placeholders = {
  user: '<MDM_USER>',
  password: '<MDM_PASSWORD>',
  apiKey: '<API_KEY>',
  service: '<SERVER_URL>',
  circle: '<CIRCLE_ID>',
  role: '<ROLE>',
  team: '<TEAM_IDENTIFIER>',
  vendor: '<VENDOR_FOLDER>',
  platform: '<PLATFORM_FOLDER>',
  application: '<APPLICATION_FOLDER>',
  jamf: '<JAMF_PRO_URL>',
} as const;

const known = Object.values(placeholders).map((text) => text.toLowerCase());

/**
 * A value that contains a placeholder of the deployment interface or of Muster, or that is one of somebody else's: a
 * word in angle brackets or braces. Jamf Pro can return angle brackets with a layer of entities too many.
 */
export function isPlaceholder(value: string): boolean {
  const text = value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').trim().toLowerCase();
  return /^<[^<>]+>$|^\$?\{[^{}]+\}$/.test(text) || known.some((one) => text.includes(one));
}
