import * as z from 'zod';
import { inputText } from './common.ts';
import { defineRoutes } from './define.ts';

const argumentName = inputText()
  .trim()
  .toLowerCase()
  .max(64)
  .regex(/^[\w.[\]-]+$/, { error: 'signing_argument' });

/**
 * What leaves a node with its log lines. Cookies and Authorization are in no line; arguments of a URL (the request's and the
 * referer's) that carry secrets have their value as asterisks before a line is shipped.
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

export const logPrivacyRoutes = defineRoutes({
  getLogPrivacy: {
    method: 'GET',
    path: '/prod-api/setting/log_privacy',
    summary: 'Arguments of URLs whose value no log line has.',
    access: { kind: 'admin', permission: 'setting.read' },
    response: logPrivacy,
  },
  updateLogPrivacy: {
    method: 'PUT',
    path: '/prod-api/setting/log_privacy',
    summary: 'Change which arguments are masked in the log lines that nodes ship from now on.',
    access: { kind: 'admin', permission: 'setting.log_privacy' },
    body: logPrivacy,
    response: logPrivacy,
  },
});
