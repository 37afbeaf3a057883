import * as z from 'zod';
import { accessControl } from './access-control.ts';

/**
 * What a level says of who may come in. It is asked before what is nearer to the site and before the site itself, so it is
 * never overridden: rules that let in first, then those that refuse.
 */
export const levelAccess = z.strictObject({
  rules: accessControl.shape.rules,
  /** What those get whom a rule of this level refuses. */
  deny: accessControl.shape.deny,
});
export type LevelAccess = z.infer<typeof levelAccess>;
