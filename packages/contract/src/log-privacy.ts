import * as z from 'zod';
import { inputText } from './common.ts';
import { defineRoutes } from './define.ts';
import { defineSetting, settingReaders } from './setting.ts';

const argumentName = inputText()
  .trim()
  .toLowerCase()
  .max(64)
  .regex(/^[\w.[\]-]+$/, { error: 'signing_argument' });

/**
 * What leaves a node with its log lines. Cookies and Authorization are in no line; arguments of a URL (the request's and the
 * referer's) that carry secrets have their value as asterisks before a line is shipped. Fields of these names are left out of what
 * visitors submit, too (`submitted_per_mille`).
 */
export const logPrivacy = z.strictObject({ mask_arguments: z.array(argumentName).max(100) });
export type LogPrivacy = z.infer<typeof logPrivacy>;
export const logPrivacyDefault: LogPrivacy = {
  mask_arguments: [
    'access_token',
    'refresh_token',
    'id_token',
    'token',
    'jwt',
    'password',
    'passwd',
    'pwd',
    'secret',
    'client_secret',
    'api_key',
    'apikey',
    'authorization',
    'session',
    'sessionid',
  ],
};

export const logPrivacySettings = defineSetting('log_privacy', {
  schema: logPrivacy,
  initial: logPrivacyDefault,
  about: 'Query parameters whose values are masked in access logs from now on',
  readBy: settingReaders,
  permission: 'setting.log_privacy',
});

export const logPrivacyRoutes = defineRoutes({
  getLogPrivacy: logPrivacySettings.read,
  updateLogPrivacy: logPrivacySettings.write,
});
