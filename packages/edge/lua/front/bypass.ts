/**
 * The request goes past the cache to the origin: nothing stored is given to it, and nothing that comes is stored, nor says anything of
 * what is. Here alone is that decided; what leads to it is with whoever calls this.
 */
export function bypassCache(): void {
  const variables = ngx.var;
  variables.cache_zone = 'off';
  variables.edge_bypass = 'bypass';
}
