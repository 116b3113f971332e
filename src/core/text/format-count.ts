/** A number as all that people read shows it: `2,853`. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}
