import {
  balanceMethod,
  origin,
  originServerConfig,
  originState,
  retryCondition,
  type OriginServerConfig,
} from '@breakwater/contract';
import { Box, Button, FormHelperText, Paper, Stack, Typography } from '@mui/material';
import { useId } from 'react';
import { useFieldArray, useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import { ActionIcon } from '../../../../kit/action-button.tsx';
import {
  DurationInput,
  MultiSelectInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TextInput,
} from '../../../../kit/fields/inputs.tsx';
import { DomainInput } from '../../../../kit/fields/domain-input.tsx';
import { FieldGroup } from '../../../../kit/fields/field-group.tsx';
import { useListMessage } from '../../../../kit/fields/list-message.ts';
import { Icon } from '../../../../kit/icon.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { SiteObjectStorage } from './object-storage.tsx';
import { SectionForm, useSectionForm, useSectionSave } from '../../section/form.tsx';
import { useSite } from '../../context.tsx';
import { siteOriginText } from './origin.text.ts';

type OriginControl = Control<z.input<typeof originServerConfig>, unknown, OriginServerConfig>;
const grid = (columns: number) => ({
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', md: `repeat(${columns}, minmax(0, 1fr))` },
});

/** The tab “Origin” of a site: which servers its content comes from, and how they are asked. No level has it. */
export function SiteOrigin() {
  const { site } = useSite();
  const config = useFormRead('getOriginServerConfig', { query: { site_id: site.id } });
  return <Loaded read={config}>{(data) => <OriginForm latest={data} refetch={config.refetch} />}</Loaded>;
}

interface OriginFormProps {
  latest: { version: number; value: OriginServerConfig };
  refetch: ReturnType<typeof useFormRead<'getOriginServerConfig'>>['refetch'];
}

function OriginForm({ latest, refetch }: OriginFormProps) {
  const { site } = useSite();
  const save = useSectionSave('updateOriginServerConfig');
  const section = useSectionForm(
    originServerConfig,
    latest,
    (body) => save({ query: { site_id: site.id }, body }),
    refetch,
    'origin_server_config',
  );
  const { control } = section.form;
  return (
    <SectionForm section={section}>
      <Servers control={control} />
      <Asking control={control} />
      <Retries control={control} />
      <Connections control={control} />
      <SiteObjectStorage form={section.form} />
    </SectionForm>
  );
}

interface PartProps {
  control: OriginControl;
}

/** A choice for each of a list of values, by their texts. */
function optionsOf<Value extends string | number>(values: readonly Value[], labels: Record<Value, string>) {
  return values.map((value) => ({ value, label: labels[value] }));
}

function Asking({ control }: PartProps) {
  const t = useText(siteOriginText);
  const protocol = useWatch({ control, name: 'protocol' });
  // `follow`: as the visitor asks the node.
  const protocols = optionsOf(['http', 'https', 'follow'] as const, t.protocols);
  return (
    <Section title={t.settings}>
      <Stack sx={{ gap: 3 }}>
        <Box sx={grid(3)}>
          <SelectInput control={control} name="protocol" label={t.protocol} options={protocols} />
          <SelectInput
            control={control}
            name="method"
            label={t.method}
            hint={t.methodHint}
            options={optionsOf(balanceMethod.options, t.methods)}
          />
          <DomainInput control={control} name="host" label={t.host} hint={t.hostHint} optional />
        </Box>
        {/* With `follow` some requests go out over TLS, so that its settings count. */}
        {protocol !== 'http' && (
          <FieldGroup label={t.tls}>
            <Box sx={grid(2)}>
              <DomainInput control={control} name="sni" label={t.sni} hint={t.sniHint} optional />
              <SwitchInput control={control} name="verify_tls" label={t.verify} hint={t.verifyHint} />
            </Box>
          </FieldGroup>
        )}
        <SwitchInput control={control} name="follow_port" label={t.followPort} hint={t.followPortHint} />
      </Stack>
    </Section>
  );
}

/** How long an origin may take, and when the next one is asked. Both together bound how long a visitor waits. */
function Retries({ control }: PartProps) {
  const t = useText(siteOriginText);
  return (
    <Section title={t.retries}>
      <Box sx={grid(3)}>
        <DurationInput
          control={control}
          name="connect_timeout_seconds"
          label={t.connect}
          hint={t.connectHint}
        />
        <DurationInput control={control} name="send_timeout_seconds" label={t.send} hint={t.sendHint} />
        <DurationInput control={control} name="read_timeout_seconds" label={t.read} hint={t.readHint} />
        <NumberInput control={control} name="tries" label={t.tries} hint={t.triesHint} />
        <Box sx={{ gridColumn: { sm: 'span 2' } }}>
          <MultiSelectInput
            control={control}
            name="retry_on"
            label={t.retryOn}
            hint={t.retryOnHint}
            options={optionsOf(retryCondition.options, t.conditions)}
          />
        </Box>
      </Box>
    </Section>
  );
}

/** Connections to origins that are kept open, and protocols that need one of their own. */
function Connections({ control }: PartProps) {
  const t = useText(siteOriginText);
  return (
    <Section title={t.connections}>
      <Box sx={grid(2)}>
        <SelectInput
          control={control}
          name="keepalive_seconds"
          label={t.keepalive}
          hint={t.keepaliveHint}
          // nginx has a group of upstreams for each of these times (seconds), so that no other can be had.
          options={optionsOf([0, 4, 15, 60] as const, t.keepaliveTimes)}
        />
        <SwitchInput control={control} name="websocket" label={t.websocket} hint={t.websocketHint} />
        <SwitchInput control={control} name="grpc" label={t.grpc} hint={t.grpcHint} />
      </Box>
    </Section>
  );
}

/** The origin servers. At least one has to stay. */
function Servers({ control }: PartProps) {
  const t = useText(siteOriginText);
  const { fields, append, remove } = useFieldArray({ control, name: 'origins' });
  const origins = useWatch({ control, name: 'origins' });
  const message = useListMessage(control, 'origins', t.servers);
  const list = useId();
  const titleId = ({ id }: { id: string }) => `${list}${id}`;
  const states = originState.options.map((value) => ({ value, label: t.states[value] }));
  return (
    <Section title={t.servers} hint={t.serversHint}>
      {message && <FormHelperText error>{message}</FormHelperText>}
      <Stack sx={{ gap: 2 }}>
        {fields.map((field, index) => (
          <Paper
            key={field.id}
            variant="outlined"
            component="fieldset"
            aria-labelledby={titleId(field)}
            sx={{ p: 2, m: 0, minWidth: 0 }}
          >
            <Stack direction="row" sx={{ alignItems: 'center', mb: 1.5 }}>
              <Typography
                id={titleId(field)}
                variant="subtitle2"
                sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}
              >
                {t.server(origins?.[index]?.address ?? '')}
              </Typography>
              <ActionIcon
                icon="delete"
                label={t.removeServer}
                of={titleId(field)}
                onClick={() => remove(index)}
                // A site without an origin could not be delivered: edges refuse its document.
                disabledReason={fields.length === 1 ? t.lastServer : undefined}
              />
            </Stack>
            <Box sx={{ ...grid(4), '& > :first-of-type': { gridColumn: { sm: 'span 2' } } }}>
              <TextInput
                control={control}
                name={`origins.${index}.address`}
                label={t.address}
                hint={t.addressHint}
              />
              <NumberInput control={control} name={`origins.${index}.http_port`} label={t.httpPort} />
              <NumberInput control={control} name={`origins.${index}.https_port`} label={t.httpsPort} />
              <SelectInput
                control={control}
                name={`origins.${index}.state`}
                label={t.state}
                options={states}
              />
              <NumberInput
                control={control}
                name={`origins.${index}.weight`}
                label={t.weight}
                hint={t.weightHint}
              />
              <NumberInput
                control={control}
                name={`origins.${index}.max_fails`}
                label={t.maxFails}
                hint={t.maxFailsHint}
              />
              <DurationInput
                control={control}
                name={`origins.${index}.fail_timeout_seconds`}
                label={t.failTimeout}
              />
              <NumberInput
                control={control}
                name={`origins.${index}.max_conns`}
                label={t.maxConns}
                hint={t.maxConnsHint}
              />
            </Box>
          </Paper>
        ))}
        <Box>
          <Button
            color="inherit"
            variant="outlined"
            startIcon={<Icon name="add" />}
            // The contract's defaults, of an address that it takes; what is to be entered is empty.
            onClick={() => append({ ...origin.parse({ address: '0.0.0.0' }), address: '' })}
          >
            {t.addServer}
          </Button>
        </Box>
      </Stack>
    </Section>
  );
}
