import {
  cipherLevels,
  clientCertificateModes,
  httpsRedirectStatuses,
  tlsVersions,
  type CertificateSettings,
  type certificateSettings,
} from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useText } from '../../../../i18n/text.ts';
import { ConditionInput } from '../../../../domain/condition/condition-input.tsx';
import {
  DurationInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TextInput,
} from '../../../../kit/fields/inputs.tsx';
import { DomainListInput } from '../../../../kit/fields/list-inputs.tsx';
import { Section } from '../../../../kit/page.tsx';
import { AutomaticCertificates } from './automatic.tsx';
import { siteHttpsText } from './https.text.ts';

type HttpsControl = Control<z.input<typeof certificateSettings>, unknown, CertificateSettings>;
const grid = { display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' } };

/** What a site asks of HTTPS besides its certificates. A switch that is off hides what it is for. */
export function HttpsSettings({ control }: { control: HttpsControl }) {
  return (
    <>
      <AutomaticCertificates control={control} />
      <ForceHttps control={control} />
      <Hsts control={control} />
      <Protocol control={control} />
      <ClientCertificates control={control} />
    </>
  );
}

/** Plain HTTP is redirected to HTTPS, but for the challenges of certificate authorities (RFC 8555 §8.3). */
function ForceHttps({ control }: { control: HttpsControl }) {
  const t = useText(siteHttpsText);
  const isOn = useWatch({ control, name: 'force_https.enabled' });
  const statuses = httpsRedirectStatuses.map((value) => ({ value, label: t.statuses[value] }));
  return (
    <Section title={t.force} hint={t.forceHint}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="force_https.enabled" label={t.forceEnabled} />
        {isOn && (
          <>
            <Box sx={grid}>
              <SelectInput control={control} name="force_https.status" label={t.status} options={statuses} />
              <NumberInput control={control} name="force_https.port" label={t.port} hint={t.portHint} />
              <DomainListInput
                control={control}
                name="force_https.only_domains"
                label={t.only}
                hint={t.onlyHint}
              />
              <DomainListInput
                control={control}
                name="force_https.except_domains"
                label={t.except}
                hint={t.exceptHint}
              />
            </Box>
            <ConditionInput control={control} name="force_https.condition" hint={t.conditionHint} />
          </>
        )}
      </Stack>
    </Section>
  );
}

/** Strict-Transport-Security (RFC 6797): browsers that have seen it use HTTPS by themselves for as long as it says. */
function Hsts({ control }: { control: HttpsControl }) {
  const t = useText(siteHttpsText);
  const isOn = useWatch({ control, name: 'hsts.enabled' });
  const isForced = useWatch({ control, name: 'force_https.enabled' });
  return (
    <Section title={t.hsts} hint={t.hstsHint}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="hsts.enabled" label={t.hstsEnabled} />
        {/* Without it the first request of every visit goes out in the clear (RFC 6797 §2.3). */}
        {isForced && !isOn && <Alert severity="info">{t.hstsAdvice}</Alert>}
        {isOn && (
          <Box sx={grid}>
            <DurationInput
              control={control}
              name="hsts.max_age_seconds"
              label={t.maxAge}
              hint={t.maxAgeHint}
            />
            <Stack sx={{ gap: 1 }}>
              <SwitchInput
                control={control}
                name="hsts.include_subdomains"
                label={t.subdomains}
                hint={t.subdomainsHint}
              />
              <SwitchInput control={control} name="hsts.preload" label={t.preload} hint={t.preloadHint} />
            </Stack>
          </Box>
        )}
      </Stack>
    </Section>
  );
}

/** TLS versions and ciphers are inherited together, since OpenSSL 3 has versions before 1.2 with the old ciphers only. */
function Protocol({ control }: { control: HttpsControl }) {
  const t = useText(siteHttpsText);
  const versions = tlsVersions.map((value) => ({
    value,
    label: `TLS ${value === 'TLSv1' ? '1.0' : value.slice(4)}`,
  }));
  const levels = cipherLevels.map((value) => ({ value, label: t.levels[value] }));
  return (
    <Section title={t.protocol} hint={t.protocolHint}>
      <Stack sx={{ gap: 2 }}>
        <Box sx={grid}>
          <SelectInput control={control} name="min_version" label={t.min} options={versions} />
          <SelectInput control={control} name="max_version" label={t.max} options={versions} />
        </Box>
        <SelectInput
          control={control}
          name="cipher_level"
          label={t.level}
          hint={t.levelHint}
          options={levels}
        />
        <SwitchInput control={control} name="ocsp_stapling" label={t.stapling} hint={t.staplingHint} />
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t.always}
        </Typography>
      </Stack>
    </Section>
  );
}

/** Mutual TLS: certificates that visitors show, checked against the authorities given here (PEM). */
function ClientCertificates({ control }: { control: HttpsControl }) {
  const t = useText(siteHttpsText);
  const mode = useWatch({ control, name: 'client_certificate.mode' });
  const modes = clientCertificateModes.map((value) => ({ value, label: t.modes[value] }));
  return (
    <Section title={t.client} hint={t.clientHint}>
      <Stack sx={{ gap: 2 }}>
        <SelectInput control={control} name="client_certificate.mode" label={t.mode} options={modes} />
        {mode !== 'off' && (
          <>
            <TextInput
              control={control}
              name="client_certificate.ca"
              label={t.ca}
              hint={t.caHint}
              rows={6}
              monospaced
            />
            <Box sx={grid}>
              <NumberInput
                control={control}
                name="client_certificate.depth"
                label={t.depth}
                hint={t.depthHint}
              />
              <SwitchInput
                control={control}
                name="client_certificate.pass_to_origin"
                label={t.pass}
                hint={t.passHint}
              />
            </Box>
          </>
        )}
      </Stack>
    </Section>
  );
}
