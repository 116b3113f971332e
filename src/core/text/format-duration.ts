import { pluralize } from './pluralize.ts';

/** In the two largest units, for people: `2 hours 5 minutes`, `364 days 3 hours`. */
export function formatDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const units = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const shown = units.slice(first, first + 2).filter(([count]) => count > 0);
  return first === -1 ? '0 minutes' : shown.map(([count, unit]) => `${count} ${pluralize(count, unit)}`).join(' ');
}
