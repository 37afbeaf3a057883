/** Where what was found of a project's types is kept, below the root of a checkout: the next time only what has changed is looked at. */
const folder = 'node_modules/.cache/breakwater';

/**
 * The compiler that checks types, below the root of a checkout: version 7, in half the processor time of the version 6 that
 * typescript-to-lua is written against.
 */
export const typeChecker = 'node_modules/typescript-native/bin/tsc';

/** One checker, where other checks run beside it: several check again what they have in common, for twice the processor time. */
export const oneChecker = ['--checkers', '1'];

/**
 * For the compiler and the linter that is built on it, both written in Go: memory that is done with is looked for at a quarter
 * of the usual occasions, until they hold two gigabytes. One thread, for the reason above.
 */
export const forGo = { GOGC: '400', GOMEMLIMIT: '2GiB', GOMAXPROCS: '1' };

/** Options of the TypeScript compiler for a project that is only checked. */
export const keepingTypes = (project: string): string[] => [
  ...oneChecker,
  '--incremental',
  '--tsBuildInfoFile',
  `${folder}/types-${project.replaceAll(/[^a-z0-9]/g, '-')}.tsbuildinfo`,
];
