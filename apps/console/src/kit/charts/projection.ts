/** The Natural Earth projection (T. Patterson, B. Šavrič): degrees to a plane, where y grows downwards. */
export function project([longitude, latitude]: readonly [number, number]): [number, number] {
  const lambda = (longitude * Math.PI) / 180;
  const phi = (latitude * Math.PI) / 180;
  const p2 = phi * phi;
  const p4 = p2 * p2;
  const x = lambda * (0.8707 - 0.131979 * p2 + p4 * (-0.013791 + p4 * (0.003971 * p2 - 0.001529 * p4)));
  const y = phi * (1.007226 + p2 * (0.015085 + p4 * (-0.044475 + 0.028874 * p2 - 0.005916 * p4)));
  return [x * 100, -y * 100];
}

export type Ring = readonly (readonly number[])[];

/**
 * A ring that crosses the 180th meridian as one without jumps, at both ends of the map; what lies beyond an end is to be
 * clipped away.
 */
export function unwrapped(ring: Ring): Ring[] {
  let turn = 0;
  const whole = ring.map(([longitude = 0, latitude = 0], index): [number, number] => {
    const before = ring[index - 1]?.[0] ?? longitude;
    if (longitude - before > 180) turn -= 360;
    if (before - longitude > 180) turn += 360;
    return [longitude + turn, latitude];
  });
  const shifted = (by: number): Ring => whole.map(([longitude, latitude]) => [longitude + by, latitude]);
  if (whole.some(([longitude]) => longitude > 180)) return [whole, shifted(-360)];
  return whole.some(([longitude]) => longitude < -180) ? [whole, shifted(360)] : [whole];
}

/** The edge of the map from one latitude to another. */
export function outline(south: number, north: number): string {
  const latitudes = Array.from({ length: 25 }, (_, index) => south + ((north - south) * index) / 24);
  return ringsPath([
    [
      ...latitudes.map((latitude): [number, number] => [180, latitude]),
      ...latitudes.toReversed().map((latitude): [number, number] => [-180, latitude]),
    ],
  ]);
}

/** Rings as the data of an SVG path. */
export function ringsPath(rings: readonly Ring[]): string {
  return rings
    .map((ring) => {
      const points = ring.map(([longitude = 0, latitude = 0]) =>
        project([longitude, latitude])
          .map((value) => value.toFixed(1))
          .join(' '),
      );
      return `M${points.join('L')}Z`;
    })
    .join('');
}
