/** Days between slots, and slots some days away. All dates are YYYY-MM-DD. */

export const millisecondsPerDay = 24 * 60 * 60 * 1000;

export function countDaysBetween(earlier: string, later: string): number {
  return (toTime(later) - toTime(earlier)) / millisecondsPerDay;
}

export function addDays(date: string, days: number): string {
  return new Date(toTime(date) + days * millisecondsPerDay).toISOString().slice(0, 10);
}

function toTime(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}
