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

/** Rings as the data of an SVG path. */
export function ringsPath(rings: readonly Ring[]): string {
  return rings
    .map((ring) => {
      const points = ring.map(([longitude = 0, latitude = 0]) => project([longitude, latitude]).map((value) => value.toFixed(1)).join(' '));
      return `M${points.join('L')}Z`;
    })
    .join('');
}
