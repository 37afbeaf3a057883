/** The tests that attack, by stage: what `npm run test:attack` runs alone. */
export const hostileTests = {
  unit: ['packages/policy/src/cache-key.property.test.ts'],
  server: ['apps/server/src/access.test.ts'],
  edge: ['packages/edge/test/poisoning.test.ts'],
};
