import { afterAll, beforeAll, expect, it } from 'vitest';
import { AccessWorld } from './access-support.ts';

/** How large the head of a request may be. Lines that nginx itself would not take are not among these. */

let world: AccessWorld;
beforeAll(async () => {
  world = await AccessWorld.start();
});
afterAll(() => world.close());

const status = (host: string, lines: string[], target = '/') => world.rawStatus(host, target, lines);

it('an address longer than the site takes gets 414, counted as it was sent', async () => {
  const host = await world.site({ security: { url_bytes_max: 20 } });
  expect(await status(host, [], `/${'a'.repeat(19)}`)).toBe(200);
  expect(await status(host, [], `/${'a'.repeat(20)}`)).toBe(414);
  expect(await status(host, [], `/?${'a'.repeat(19)}`)).toBe(414);
  expect(await status(host, [], '/%61%61%61%61%61%61%61')).toBe(414);
  // Stored by now, and refused all the same.
  expect(await status(host, [], `/${'a'.repeat(20)}`)).toBe(414);
});

it('lines of the header are counted, several of one name too', async () => {
  const host = await world.site({ security: { header_lines_max: 5 } });
  // With `Host` and `Connection` five.
  expect(await status(host, ['X-A: 1', 'X-B: 1', 'X-C: 1'])).toBe(200);
  expect(await status(host, ['X-A: 1', 'X-B: 1', 'X-C: 1', 'X-D: 1'])).toBe(431);
  expect(await status(host, ['X-A: 1', 'X-A: 2', 'X-a: 3', 'x-a: 4'])).toBe(431);
});

it('the bytes of one line and of all are counted with the names', async () => {
  const one = await world.site({ security: { header_line_bytes_max: 100 } });
  expect(await status(one, [`X-A: ${'a'.repeat(97)}`])).toBe(200);
  expect(await status(one, [`X-A: ${'a'.repeat(98)}`])).toBe(431);
  expect(await status(one, [`${'X-'.repeat(50)}: a`])).toBe(431);
  const all = await world.site({ security: { header_bytes_max: 300 } });
  const line = (name: string) => `${name}: ${'a'.repeat(77)}`;
  expect(await status(all, [line('X-A'), line('X-B'), line('X-C')])).toBe(200);
  expect(await status(all, [line('X-A'), line('X-B'), line('X-C'), line('X-D')])).toBe(431);
});

it('a refusal has the site’s own page, reaches no origin, and is not stored', async () => {
  const host = await world.site({
    security: { url_bytes_max: 20 },
    advanced: { error_pages: [{ statuses: ['414'], body: 'too long: {{status}}' }] },
  });
  const asked = world.origin.count();
  const { status: got, body, headers } = await world.edge.get(host, `/${'b'.repeat(30)}`);
  expect([got, body, headers['cache-control']]).toEqual([414, 'too long: 414', 'no-store']);
  expect(world.origin.count()).toBe(asked);
});

it('with a limit of content beside them they are asked all the same', async () => {
  const host = await world.site({ security: { url_bytes_max: 20, body_bytes_max: 100 } });
  expect(await status(host, [], `/${'c'.repeat(30)}`)).toBe(414);
  expect(await status(host, [], '/c')).toBe(200);
});
