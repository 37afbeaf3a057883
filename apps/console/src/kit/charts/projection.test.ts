import { expect, it } from 'vitest';
import { alpha2Codes } from './region-codes.ts';
import { project, ringsPath, unwrapped } from './projection.ts';

it('projects the middle to the middle, east to the right, north upwards', () => {
  expect(project([0, 0]).map(Math.abs)).toEqual([0, 0]);
  const [x, y] = project([120, 45]);
  expect(x).toBeGreaterThan(0);
  expect(y).toBeLessThan(0);
  // The far ends of the equator, by the published coefficients: 0.8707 π.
  expect(project([180, 0])[0]).toBeCloseTo(273.54, 1);
});

it('draws each ring as a closed path', () => {
  expect(
    ringsPath([
      [
        [0, 0],
        [10, 0],
        [10, 10],
      ],
    ]),
  ).toMatch(/^M0\.0 -?0\.0L15\.2 -?0\.0L[\d.]+ -[\d.]+Z$/);
});

it('knows each code once', () => {
  expect(alpha2Codes.get('156')).toBe('CN');
  expect(new Set(alpha2Codes.values()).size).toBe(alpha2Codes.size);
});

it('takes a ring over the 180th meridian without a jump, at both ends', () => {
  const rings = unwrapped([
    [179, 60],
    [-179, 60],
    [-179, 65],
    [179, 65],
  ]);
  expect(rings).toEqual([
    [
      [179, 60],
      [181, 60],
      [181, 65],
      [179, 65],
    ],
    [
      [-181, 60],
      [-179, 60],
      [-179, 65],
      [-181, 65],
    ],
  ]);
  expect(
    unwrapped([
      [10, 0],
      [20, 0],
      [20, 5],
    ]),
  ).toHaveLength(1);
});
