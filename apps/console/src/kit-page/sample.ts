/** Made-up rows for the page, the same ones at every drawing. */

export interface SampleRow {
  id: number;
  name: string;
  ip: string;
  state: 'normal' | 'abnormal' | 'waiting';
  bandwidth: number;
  requests: number;
  price: number;
  load: number;
  updated_at: string;
}

const names = ['www', 'static', 'img', 'download', 'api', 'live', 'shop', 'news'];
const states = ['normal', 'normal', 'normal', 'waiting', 'abnormal'] as const;
const now = Date.now();

/** A number from 0 to 1 that depends on the seed alone. */
export function noise(seed: number): number {
  const value = Math.sin(seed * 12.9898) * 43_758.5453;
  return value - Math.floor(value);
}

export function sampleRows(count: number): SampleRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `${names[index % names.length]}-${index + 1}.example.com`,
    ip: index % 4 === 3 ? `2001:db8::${(index + 1).toString(16)}` : `198.51.100.${(index % 254) + 1}`,
    state: states[Math.floor(noise(index) * states.length)]!,
    bandwidth: Math.round(noise(index + 0.5) * 9e9),
    requests: Math.round(noise(index + 0.2) * 5e6),
    price: Math.round(noise(index + 0.7) * 99_900),
    load: noise(index + 0.9),
    updated_at: new Date(now - index * 1_234_567).toISOString(),
  }));
}

/** Values over time with a daily swing; `from` to `until` is a gap. */
export function sampleSeries(
  seed: number,
  points: number,
  stepSeconds: number,
  gap?: { from: number; until: number },
) {
  const start = Math.floor(now / 3_600_000) * 3_600_000 - points * stepSeconds * 1000;
  return Array.from({ length: points }, (_, index) => ({
    time: new Date(start + index * stepSeconds * 1000).toISOString(),
    value:
      gap && index >= gap.from && index < gap.until
        ? null
        : Math.round(
            (2 + Math.sin(index / 12 + seed) + noise(seed * 1000 + index) * 0.6) * 1e8 * (1 + (seed % 3)),
          ),
  }));
}
