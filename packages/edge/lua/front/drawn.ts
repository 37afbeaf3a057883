const rates = ngx.shared.edge_keys;
const readSeconds = 2;

/**
 * Draws a share of requests. The share, of a thousand, stands under a name in the memory that workers have in common; since it is asked
 * of nearly every request, it is read there now and then.
 */
export function drawingBy(name: string): () => boolean {
  let perMille = 0;
  let readAgainAt = 0;
  return () => {
    const now = ngx.time();
    if (now >= readAgainAt) {
      perMille = (rates.get(name) as number | undefined) ?? 0;
      readAgainAt = now + readSeconds;
    }
    return perMille > 0 && math.random(1000) <= perMille;
  };
}

/** In every worker, seconds from now. */
export const setShare = (name: string, perMille: number): void => rates.set(name, perMille);
