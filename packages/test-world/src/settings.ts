import type { RouteData, routes } from '@breakwater/contract';
import type { World } from './world.ts';

/** The ends of the names of their routes. */
type SettingName =
  | 'AccountLimits'
  | 'ConsoleSetting'
  | 'FilingSetting'
  | 'FloodSetting'
  | 'HttpFilterSetting'
  | 'LogPolicy'
  | 'LogPrivacy'
  | 'LogShipping'
  | 'PlatformHttps'
  | 'Retention'
  | 'SitePortSetting'
  | 'SiteSetting'
  | 'VulnerabilitySetting'
  | 'WafSetting';
type SettingValue<Name extends SettingName> = RouteData<(typeof routes)[`get${Name}`]>['value'];

export async function readSetting<Name extends SettingName>(
  { admin }: World,
  name: Name,
): Promise<SettingValue<Name>> {
  const { value } = await admin.get(`get${name as SettingName}` as const, {});
  return value as SettingValue<Name>;
}

/** Saves on top of whatever is there; what the value may be is for the server to say. */
export async function trySetting({ admin }: World, name: SettingName, value: object) {
  const { version } = await admin.get(`get${name}` as const, {});
  return admin.call(`update${name}` as const, { body: { version, value } as never });
}

/** As `trySetting`, and throws when it is refused. Answers the value as it is from then on. */
export async function saveSetting<Name extends SettingName>(
  world: World,
  name: Name,
  value: object,
): Promise<SettingValue<Name>> {
  const answer = await trySetting(world, name, value);
  if (answer.code !== 0)
    throw new Error(`${name} answered ${answer.status} ${JSON.stringify(answer.errors)}`);
  return answer.data.value as SettingValue<Name>;
}
