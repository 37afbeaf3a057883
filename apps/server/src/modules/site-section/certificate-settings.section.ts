import { checkAuthorities } from '../certificate/certificate.service.ts';
import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

export const certificateSettingsSection = defineSection('certificate_settings', {
  ids: ['certificate_ids'],
  checkValue({ before, after, path }) {
    const { mode, ca } = after.client_certificate;
    if (mode !== 'off' && ca !== before.client_certificate.ca)
      checkAuthorities(ca, `${path}.client_certificate.ca`);
  },
  uses: (value) => ({ ...askedByRules(value), certificates: value.certificate_ids }),
  publish: ({ certificate_ids: ids }) => ({ certificate_settings: { certificate_ids: ids } }),
});
