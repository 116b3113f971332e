/** Texts that many devices have in common, kept once: a name parsed again for every device would be most of a fleet. */
import type { DeviceFacts } from './facts.ts';

const sharedFields = [
  ...(['platform', 'osVersion', 'model', 'managementState', 'managementAgent', 'ownership'] as const),
  ...(['site', 'department', 'building', 'category'] as const),
] as const satisfies readonly (keyof DeviceFacts)[];

/** Above it, a field is no longer one that devices have in common, and is left as it is. */
const mostTexts = 20_000;

/** The same devices, newly read and nobody else's yet: texts that they have in common are one text from now on. */
export function shareTexts<Device extends DeviceFacts>(devices: readonly Device[]): readonly Device[] {
  const texts = new Map<string, string>();
  for (const device of devices) {
    const fields = device as { -readonly [Field in (typeof sharedFields)[number]]?: string };
    for (const field of sharedFields) {
      const text = fields[field];
      if (text === undefined) {
        continue;
      }
      const known = texts.get(text);
      if (known !== undefined) {
        fields[field] = known;
      } else if (texts.size < mostTexts) {
        texts.set(text, text);
      }
    }
  }
  return devices;
}
