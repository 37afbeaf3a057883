import type { CertificateSettings, certificateSettings } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useMay } from '../../../../api/account.ts';
import { useApi } from '../../../../api/query.ts';
import { useText } from '../../../../i18n/text.ts';
import { SelectInput, SwitchInput } from '../../../../kit/fields/inputs.tsx';
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
  const mayAuthorities = may('listCertificateAuthorities');
  const mayDns = may('listDnsAccounts');
  const query = { page_size: 200 };
  const authorities = useApi('listCertificateAuthorities', { query }, { enabled: mayAuthorities });
  const dns = useApi('listDnsAccounts', { query }, { enabled: mayDns });
  const owner = useDnsOwner();
  const nameOf = ({ id, name }: { id: number; name: string }) => ({ value: id, label: name });
  return (
    <Section title={t.title} hint={t.hint}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="auto_certificate" label={t.enabled} />
        {isOn && (
          <Box sx={grid}>
            {mayAuthorities && (
              <SelectInput
                control={control}
                name="auto_acme_account_id"
                label={t.authority}
                noneLabel={t.anyAuthority}
                options={(authorities.data?.list ?? []).map(nameOf)}
              />
            )}
            {mayDns && (
              <SelectInput
                control={control}
                name="auto_dns_account_id"
                label={t.dnsAccount}
                hint={t.dnsAccountHint}
                noneLabel={t.noDnsAccount}
                options={(dns.data?.list ?? []).filter(owner).map(nameOf)}
              />
            )}
          </Box>
        )}
      </Stack>
    </Section>
  );
}

/** Which DNS accounts may be named: a site's customer's; at levels those of the platform, and of the customer whose level it is. */
function useDnsOwner() {
  const level = useLevel();
  const site = useSiteIfAny();
  return ({ client_id: client }: { client_id: number | null }) => {
    if (!level) return client !== null && client === site?.site.client_id;
    return client === null || (level.ref.level === 'client' && client === level.ref.target_id);
  };
}
