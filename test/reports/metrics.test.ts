/** `metrics.prom` by the rules of OpenMetrics, its agreement with the tables, and the dashboard over it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { computeInterval } from '../../src/core/source/coverage.ts';
import { metricsReport } from '../../src/reports/metrics.ts';
import { bytesOf } from './csv.ts';
import { badNight, quarter } from './example-nights.ts';
import { hostileNight } from './hostile-fleet.ts';

async function render(night: Parameters<typeof metricsReport.render>[0]): Promise<string> {
  return (await bytesOf(metricsReport, night)).toString('utf8');
}

const ordinary = quarter(200, 5);

const sampleLine = /^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/;

it.each([
  ['a quarter', ordinary],
  ['a night of failures', badNight()],
  ['hostile names', hostileNight()],
])(
  '%s is valid: a family is described once before its samples, a unit ends its name, none stands twice',
  async (_, night) => {
    const text = await render(night);
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    const seen = new Set<string>();
    let family = '';
    for (const line of text.slice(0, -'# EOF\n'.length).split('\n').slice(0, -1)) {
      const [, help] = /^# HELP (\S+) \S.*$/.exec(line) ?? [];
      const [, unit] = /^# UNIT \S+ (\S+)$/.exec(line) ?? [];
      if (help !== undefined) {
        expect(seen.has(help)).toBe(false);
        family = help;
        seen.add(help);
      } else if (unit !== undefined) {
        expect([line, family.endsWith(`_${unit}`)]).toEqual([`# UNIT ${family} ${unit}`, true]);
      } else if (line.startsWith('#')) {
        expect(line).toBe(`# TYPE ${family} gauge`);
      } else {
        const [, name, labels] = sampleLine.exec(line) ?? [];
        expect([line, name]).toEqual([line, family]);
        expect(seen.has(`${name}{${labels}`), line).toBe(false);
        seen.add(`${name}{${labels}`);
      }
    }
  },
);

it('has the figures of the tables', async () => {
  const text = await render(ordinary);
  for (const row of ordinary.coverage) {
    const labels = `{source="${row.source}",platform="${row.operatingSystem}"}`;
    const { low } = computeInterval(row);
    expect(text).toContain(`muster_coverage_low_ratio${labels} ${Number((Number(low) / 100).toFixed(4))}\n`);
    expect(text).toContain(`muster_not_installed_devices${labels} ${row.notInstalled}\n`);
    expect(text).toContain(`muster_soundness${labels.replace('}', `,soundness="${row.soundness}"}`)} 1\n`);
  }
});

it('has every metric that the dashboard shows', async () => {
  const file = join(import.meta.dirname, '../../docs/examples/grafana-dashboard.json');
  const { panels } = JSON.parse(readFileSync(file, 'utf8'));
  const shown = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.flatMap(({ expr }) => expr.match(/muster_\w+/g) ?? []),
  );
  const text = await render(ordinary);
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((name: string) => !text.includes(`# TYPE ${name} gauge`))).toEqual([]);
});
