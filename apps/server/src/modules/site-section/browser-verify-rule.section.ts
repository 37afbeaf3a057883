import { invalid } from '../../api-error.ts';
import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const browserVerifyRuleSection = defineSection('browser_verify_rule', {
  checkValue({ before, after, path }) {
    const { enabled, kind, captcha_account_id: account } = after;
    const isSame =
      before.enabled === enabled && before.kind === kind && before.captcha_account_id === account;
    if (!isSame && enabled && kind === 'external' && account === undefined)
      throw invalid(`${path}.captcha_account_id`, 'required');
  },
  uses: (value) => ({
    ...askedByRules(value),
    captchaAccounts: value.captcha_account_id === undefined ? [] : [value.captcha_account_id],
  }),
});
