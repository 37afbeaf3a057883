/** Where what was found of a project's types is kept, below the root of a checkout: the next time only what has changed is looked at. */
const folder = 'node_modules/.cache/breakwater';

/**
 * The compiler that checks types, below the root of a checkout: version 7, in half the processor time of the version 6 that
 * typescript-to-lua is written against.
 */
export const typeChecker = 'node_modules/typescript-native/bin/tsc';

/** Options of the TypeScript compiler for a project that is only checked. */
export const keepingTypes = (project: string): string[] => [
  '--incremental',
  '--tsBuildInfoFile',
  `${folder}/types-${project.replaceAll(/[^a-z0-9]/g, '-')}.tsbuildinfo`,
];
