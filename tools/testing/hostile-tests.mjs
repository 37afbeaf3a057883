/** The tests that attack, by stage: what `npm run test:attack` runs alone. */
export const hostileTests = {
  unit: [
    'packages/policy/src/cache/key.property.test.ts',
    'packages/policy/src/cache/query-key.property.test.ts',
  ],
  server: [
    'apps/server/src/access.test.ts',
    'apps/server/src/bad-input.test.ts',
    'apps/server/src/modules/account/account.test.ts',
    'apps/server/src/modules/account/api-token.test.ts',
    'apps/server/src/modules/account/passkey.test.ts',
    'apps/server/src/modules/account/two-factor.test.ts',
    'apps/server/src/jobs/worker.test.ts',
    'apps/server/src/modules/site-claim/site-overlap.test.ts',
    'apps/server/src/modules/site-section/origin-private.test.ts',
  ],
  fuzz: [],
  edge: [
    'packages/edge/test/attack-edge.test.ts',
    'packages/edge/test/captcha-away.test.ts',
    'packages/edge/test/captcha-reach.test.ts',
    'packages/edge/test/captcha.test.ts',
    'packages/edge/test/collapse.test.ts',
    'packages/edge/test/crowd.test.ts',
    'packages/edge/test/deception.test.ts',
    'packages/edge/test/origin-guard.test.ts',
    'packages/edge/test/paths.property.test.ts',
    'packages/edge/test/paths.test.ts',
    'packages/edge/test/poisoning.test.ts',
    'packages/edge/test/splitting.test.ts',
    'packages/edge/test/upgrades.test.ts',
  ],
};
