import { siteSetting } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput, SwitchInput, TagsInput, TextInput } from '../../kit/fields/inputs.tsx';
import { SettingOf } from './setting-of.tsx';
import { settingText } from './setting.text.ts';

/** The domain of CNAMEs, and what is asked of the domains of sites. */
export function SiteSettingForms() {
  const t = useText(settingText);
  const read = useFormRead('getSiteSetting', {});
  const update = useChange('updateSiteSetting');
  return (
    <SettingOf
      schema={siteSetting}
      read={read}
      route="updateSiteSetting"
      save={(body) => update.mutateAsync({ body })}
      title={t.sites}
      hint={t.sitesHint}
    >
      {({ control }) => (
        <Stack sx={{ gap: 3, pt: 1 }}>
          <TextInput control={control} name="cname_domain" label={t.cnameDomain} hint={t.cnameDomainHint} />
          <SwitchInput control={control} name="site_check" label={t.siteCheck} hint={t.siteCheckHint} />
          <NumberInput
            control={control}
            name="check_hours"
            label={t.checkHours}
            hint={t.checkHoursHint}
            unit={t.hours}
          />
          {/* Resolvers that domains are checked with, and public ones whose answers are shown beside theirs before a certificate
              is ordered. */}
          <TagsInput control={control} name="dns_servers" label={t.dnsServers} hint={t.dnsServersHint} />
          <TagsInput
            control={control}
            name="compared_dns_servers"
            label={t.comparedDnsServers}
            hint={t.comparedDnsServersHint}
          />
        </Stack>
      )}
    </SettingOf>
  );
}
