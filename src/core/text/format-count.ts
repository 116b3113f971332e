/** Formats a number for people: `2,853`. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}
