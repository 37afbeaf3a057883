import type { AccessAction } from '@breakwater/contract';
import { defineText } from '../i18n/text.ts';

/** What rules of access control are told by. */
export const accessRuleText = defineText({
  zh: {
    actions: { allow: '允许', deny: '拒绝' } satisfies Record<AccessAction, string>,
    noAgent: '没有 User-Agent',
    except: (paths: string) => `${paths} 除外`,
  },
  en: {
    actions: { allow: 'Allow', deny: 'Block' },
    noAgent: 'no user agent',
    except: (paths: string) => `except ${paths}`,
  },
});
