import { describe, expect, it } from 'vitest';
import { originsText, withOrigins } from './draft-origins.ts';

const config = {
  protocol: 'http',
  origins: [{ address: '10.0.0.1', http_port: 8080, weight: 5 }, { address: '2001:db8::1' }],
};

describe('the origins of a draft', () => {
  it('are text that says hosts and ports', () => {
    expect(originsText(config)).toBe('10.0.0.1:8080, [2001:db8::1]');
  });
  it('keep what else was said of those that stay', () => {
    expect(withOrigins(config, '10.0.0.1:8080, b.example:81').origins).toEqual([
      { address: '10.0.0.1', http_port: 8080, weight: 5 },
      { address: 'b.example', http_port: 81 },
    ]);
    expect(withOrigins({ ...config, protocol: 'https' }, 'b.example:8443').origins).toEqual([
      { address: 'b.example', https_port: 8443 },
    ]);
  });
});
