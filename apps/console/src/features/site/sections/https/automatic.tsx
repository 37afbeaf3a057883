import type { CertificateSettings, certificateSettings } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useMemo } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useMay } from '../../../../api/account.ts';
import { authorityChoices, dnsAccountsOf, dnsUsableBy } from '../../../../api/options.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Choices } from '../../../../kit/fields/choices.ts';
import { SwitchInput } from '../../../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../../../kit/fields/remote-select.tsx';
import { Section } from '../../../../kit/page.tsx';
import { useSiteIfAny } from '../../context.tsx';
import { useLevel } from '../../section/host.tsx';
import { automaticText } from './automatic.text.ts';

type HttpsControl = Control<z.input<typeof certificateSettings>, unknown, CertificateSettings>;
const grid = { display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' } };

/** Whether sites get certificates by themselves, and by which accounts. */
export function AutomaticCertificates({ control }: { control: HttpsControl }) {
  const t = useText(automaticText);
  const isOn = useWatch({ control, name: 'auto_certificate' });
  const may = useMay();
  // Who may not read accounts does not choose one; what is chosen stays as it is.
  const mayAuthorities = may('listCertificateAuthorities');
  const mayDns = may('listDnsAccounts');
  const dnsAccounts = useDnsChoices();
  return (
    <Section title={t.title} hint={t.hint}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="auto_certificate" label={t.enabled} />
        {isOn && (
          <Box sx={grid}>
            {mayAuthorities && (
              <RemoteSelect
                control={control}
                name="auto_acme_account_id"
                label={t.authority}
                placeholder={t.anyAuthority}
                choices={authorityChoices}
              />
            )}
            {mayDns && (
              <RemoteSelect
                control={control}
                name="auto_dns_account_id"
                label={t.dnsAccount}
                hint={t.dnsAccountHint}
                placeholder={t.noDnsAccount}
                choices={dnsAccounts}
              />
            )}
          </Box>
        )}
      </Stack>
    </Section>
  );
}

/** Which DNS accounts may be named: a site's customer's; at levels those of the platform, and of the customer whose level it is. */
function useDnsChoices(): Choices {
  const level = useLevel();
  const client = useSiteIfAny()?.site.client_id;
  const owner = level?.ref.level === 'client' ? level.ref.target_id : 'platform';
  return useMemo(
    () => (client === undefined || level ? dnsUsableBy(owner) : dnsAccountsOf(client)),
    [client, level, owner],
  );
}
