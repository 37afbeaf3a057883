import {
  logShippingInput,
  logShippingKinds,
  syslogTransports,
  type LogShippingInput,
} from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';
import { useChange } from '../../api/change.ts';
import { lineGroupChoices, siteChoices } from '../../api/options.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput, SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { BytesInput } from '../../kit/fields/amount-inputs.tsx';
import { CodeInput } from '../../kit/fields/code-input.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { SecretInput } from '../../kit/fields/secret-input.tsx';
import { SectionHeading } from '../../kit/page.tsx';
import { LogShippingNodes } from './log-shipping-nodes.tsx';
import { logShippingText } from './log-shipping.text.ts';
import { SettingOf } from './setting-of.tsx';

type Form = UseFormReturn<LogShippingInput, unknown, z.output<typeof logShippingInput>>;

/**
 * Where nodes send their log lines besides the control plane: each node by itself, by syslog (RFC 5424), HTTP or a file of its own.
 */
export function LogShippingForms() {
  const t = useText(logShippingText);
  const read = useFormRead('getLogShipping', {});
  const update = useChange('updateLogShipping');
  return (
    <>
      <SettingOf
        schema={logShippingInput}
        read={read}
        route="updateLogShipping"
        save={(body) => update.mutateAsync({ body })}
        title={t.title}
        hint={t.hint}
      >
        {(form) => <LogShippingFields form={form} />}
      </SettingOf>
      {/* By what is saved, not by what is in the form. */}
      {read.data && read.data.value.kind !== 'off' && <LogShippingNodes />}
    </>
  );
}

function LogShippingFields({ form }: { form: Form }) {
  const t = useText(logShippingText);
  const { control } = form;
  const kind = useWatch({ control, name: 'kind' });
  return (
    <Stack sx={{ gap: 2.5, pt: 1 }}>
      <SelectInput
        control={control}
        name="kind"
        label={t.kind}
        options={logShippingKinds.map((value) => ({ value, label: t.kinds[value] }))}
      />
      {kind === 'syslog' && <Syslog form={form} />}
      {kind === 'http' && (
        <>
          <TextInput control={control} name="http_url" label={t.url} hint={t.urlHint} />
          <SecretInput
            control={control}
            name="http_authorization"
            label={t.authorization}
            hint={t.authorizationHint}
            removable
          />
        </>
      )}
      {kind === 'file' && (
        <>
          <BytesInput control={control} name="file_rotate_bytes" label={t.rotate} hint={t.rotateHint} />
          <NumberInput control={control} name="file_keep" label={t.keep} hint={t.keepHint} />
        </>
      )}
      {kind !== 'off' && <Which form={form} />}
    </Stack>
  );
}

function Syslog({ form: { control } }: { form: Form }) {
  const t = useText(logShippingText);
  const transport = useWatch({ control, name: 'syslog_transport' });
  return (
    <>
      <TextInput control={control} name="syslog_host" label={t.host} hint={t.hostHint} />
      <NumberInput control={control} name="syslog_port" label={t.port} />
      <SelectInput
        control={control}
        name="syslog_transport"
        label={t.transport}
        options={syslogTransports.map((value) => ({ value, label: t.transports[value] }))}
      />
      {transport === 'tls' && (
        <CodeInput control={control} name="syslog_ca" label={t.ca} hint={t.caHint} rows={6} />
      )}
    </>
  );
}

/** Of which sites and line groups; none chosen means all. */
function Which({ form: { control } }: { form: Form }) {
  const t = useText(logShippingText);
  return (
    <>
      <SectionHeading title={t.which} />
      <RemoteMultiSelect
        control={control}
        name="site_ids"
        label={t.sites}
        hint={t.sitesHint}
        choices={siteChoices}
      />
      <RemoteMultiSelect
        control={control}
        name="line_group_ids"
        label={t.lineGroups}
        hint={t.lineGroupsHint}
        choices={lineGroupChoices}
      />
      <BytesInput control={control} name="waiting_bytes_max" label={t.waiting} hint={t.waitingHint} />
    </>
  );
}
