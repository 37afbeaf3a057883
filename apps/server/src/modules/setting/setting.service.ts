import type { Setting } from '@breakwater/contract';
import type * as z from 'zod';
import type { Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { presentSetting, saveSetting, type AfterSave, type Versioned } from './setting.store.ts';

/** The handlers of a setting's two routes. */

export const reads =
  <Schema extends z.ZodType>(setting: Setting<Schema>) =>
  ({ services }: { services: Services }) =>
    presentSetting(services.db, setting);

/** `afterSave` does what follows, in the transaction of the save. */
export const writes =
  <Schema extends z.ZodType>(setting: Setting<Schema>, afterSave?: AfterSave<z.output<Schema>>) =>
  ({
    services,
    session,
    body,
  }: {
    services: Services;
    session: Session;
    body: Versioned<z.output<Schema>>;
  }) =>
    saveSetting(services, session, setting, body, afterSave);
