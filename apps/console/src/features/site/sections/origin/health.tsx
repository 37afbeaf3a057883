import { backendHealthCheck, healthCheckProtocols, type BackendHealthCheck } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import type { ReactNode } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import {
  DurationInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TagsInput,
  TextInput,
} from '../../../../kit/fields/inputs.tsx';
import { DomainInput } from '../../../../kit/fields/domain-input.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { SectionForm, useSectionForm, useSectionSave } from '../../section/form.tsx';
import { useSite } from '../../context.tsx';
import { SiteHealthHistory, SiteHealthState } from './health-state.tsx';
import { siteHealthText } from './health.text.ts';

type HealthControl = Control<z.input<typeof backendHealthCheck>, unknown, BackendHealthCheck>;

/** How origins are checked, and what came of it. */
export function SiteHealth() {
  const { site } = useSite();
  const config = useFormRead('getBackendHealthCheck', { query: { site_id: site.id } });
  return (
    <Loaded read={config}>
      {(data) => (
        <Stack sx={{ gap: 3 }}>
          <HealthForm latest={data} refetch={config.refetch} />
          <SiteHealthState isOn={data.value.enabled} />
          <SiteHealthHistory />
        </Stack>
      )}
    </Loaded>
  );
}

interface HealthFormProps {
  latest: { version: number; value: BackendHealthCheck };
  refetch: ReturnType<typeof useFormRead<'getBackendHealthCheck'>>['refetch'];
}

function HealthForm({ latest, refetch }: HealthFormProps) {
  const t = useText(siteHealthText);
  const { site } = useSite();
  const save = useSectionSave('updateBackendHealthCheck');
  const section = useSectionForm(
    backendHealthCheck,
    latest,
    (body) => save({ query: { site_id: site.id }, body }),
    refetch,
    'backend_health_check',
  );
  const { control } = section.form;
  const isOn = useWatch({ control, name: 'enabled' });
  const isTcp = useWatch({ control, name: 'protocol' }) === 'tcp';
  return (
    <SectionForm section={section}>
      <Section title={t.title} hint={t.hint}>
        <Stack sx={{ gap: 2.5 }}>
          <SwitchInput control={control} name="enabled" label={t.enabled} hint={t.enabledHint} />
          {isOn && <MainFields control={control} isTcp={isTcp} />}
        </Stack>
      </Section>
      {isOn && (
        <>
          <SwitchingFields control={control} />
          {!isTcp && <AnswerFields control={control} />}
          <RequestFields control={control} isTcp={isTcp} />
        </>
      )}
    </SectionForm>
  );
}

function Fields({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 196px), 1fr))',
      }}
    >
      {children}
    </Box>
  );
}

/** How and how often. A TCP check only opens a connection, so it has no path, no answer and no header fields. */
function MainFields({ control, isTcp }: { control: HealthControl; isTcp: boolean }) {
  const t = useText(siteHealthText);
  const protocols = healthCheckProtocols.map((value) => ({ value, label: t.protocols[value] }));
  return (
    <Fields>
      <SelectInput
        control={control}
        name="protocol"
        label={t.protocol}
        hint={t.protocolHint}
        options={protocols}
      />
      {!isTcp && <TextInput control={control} name="path" label={t.path} hint={t.pathHint} />}
      <DurationInput control={control} name="interval_seconds" label={t.interval} hint={t.intervalHint} />
      <DurationInput control={control} name="timeout_seconds" label={t.timeout} hint={t.timeoutHint} />
    </Fields>
  );
}

/** How many results in a row change the state, and how long an origin waits before it gets visitors again. */
function SwitchingFields({ control }: { control: HealthControl }) {
  const t = useText(siteHealthText);
  return (
    <Section title={t.switching} hint={t.switchingHint}>
      <Fields>
        <NumberInput control={control} name="fall" label={t.fall} hint={t.fallHint} />
        <NumberInput control={control} name="rise" label={t.rise} hint={t.riseHint} />
        <DurationInput control={control} name="hold_down_seconds" label={t.holdDown} hint={t.holdDownHint} />
        <DurationInput
          control={control}
          name="failback_delay_seconds"
          label={t.failback}
          hint={t.failbackHint}
        />
      </Fields>
    </Section>
  );
}

/** Which answers are good ones. */
function AnswerFields({ control }: { control: HealthControl }) {
  const t = useText(siteHealthText);
  return (
    <Section title={t.well} hint={t.wellHint}>
      <Fields>
        <TagsInput control={control} name="expected_codes" label={t.codes} hint={t.codesHint} />
        <TextInput control={control} name="body_contains" label={t.body} hint={t.bodyHint} />
      </Fields>
    </Section>
  );
}

/** What is sent, where that is not as the site asks its origins. */
function RequestFields({ control, isTcp }: { control: HealthControl; isTcp: boolean }) {
  const t = useText(siteHealthText);
  const methods = (['GET', 'HEAD', 'OPTIONS'] as const).map((value) => ({ value, label: value }));
  return (
    <Section title={t.request} hint={t.requestHint}>
      <Fields>
        <NumberInput control={control} name="port" label={t.port} hint={t.portHint} />
        {!isTcp && (
          <>
            <SelectInput
              control={control}
              name="method"
              label={t.method}
              hint={t.methodHint}
              options={methods}
            />
            <DomainInput control={control} name="host" label={t.host} hint={t.hostHint} optional />
            <TextInput control={control} name="user_agent" label={t.userAgent} hint={t.userAgentHint} />
          </>
        )}
      </Fields>
    </Section>
  );
}
