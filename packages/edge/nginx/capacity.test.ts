import { describe, expect, it } from 'vitest';
import { capacityOf } from './capacity.ts';

describe('what a worker holds', () => {
  it.each([256, 1024, 20_000, 65_536, 1_000_000])('leaves files of %i for answers on their way', (files) => {
    const { connections, heldFiles } = capacityOf(files);
    expect(heldFiles).toBeGreaterThan(0);
    expect(files - connections - heldFiles).toBeGreaterThanOrEqual(Math.floor(files * 0.15));
  });

  it('is enough for 5,000 visitors who all go to an origin, where the system allows what nginx asks for', () => {
    expect(capacityOf(65_536).connections).toBeGreaterThan(5000 * 4);
  });
});
