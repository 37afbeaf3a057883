import { origin, originServerConfig, originState, type OriginServerConfig } from '@breakwater/contract';
import { Box, Button, Paper, Stack, Typography } from '@mui/material';
import { useFieldArray, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../../kit/action-button.tsx';
import { DurationInput, NumberInput, SelectInput, TextInput } from '../../kit/fields.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { SectionForm, useSectionForm, useSectionSave } from './section-form.tsx';
import { useSite } from './site-context.tsx';
import { siteConfigText } from './site-config.text.ts';

type OriginControl = Control<z.input<typeof originServerConfig>, unknown, OriginServerConfig>;
const grid = (columns: number) => ({
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', md: `repeat(${columns}, minmax(0, 1fr))` },
});

export function SiteOrigin() {
  const { site } = useSite();
  const config = useApi('getOriginServerConfig', { query: { site_id: site.id } });
  return <Loaded read={config}>{(data) => <OriginForm latest={data} refetch={config.refetch} />}</Loaded>;
}

interface OriginFormProps {
  latest: { version: number; value: OriginServerConfig };
  refetch: ReturnType<typeof useApi<'getOriginServerConfig'>>['refetch'];
}

function OriginForm({ latest, refetch }: OriginFormProps) {
  const t = useText(siteConfigText).originForm;
  const { site } = useSite();
  const save = useSectionSave('updateOriginServerConfig');
  const section = useSectionForm(
    originServerConfig,
    latest,
    (body) => save({ query: { site_id: site.id }, body }),
    refetch,
  );
  const { control } = section.form;
  const protocols = (['http', 'https', 'follow'] as const).map((value) => ({
    value,
    label: t.protocols[value],
  }));
  return (
    <SectionForm section={section}>
      <Servers control={control} />
      <Section title={t.settings}>
        <Box sx={grid(3)}>
          <SelectInput control={control} name="protocol" label={t.protocol} options={protocols} />
          <TextInput control={control} name="host" label={t.host} hint={t.hostHint} optional />
          <NumberInput control={control} name="tries" label={t.tries} hint={t.triesHint} />
          <DurationInput control={control} name="connect_timeout_seconds" label={t.connect} />
          <DurationInput control={control} name="send_timeout_seconds" label={t.send} />
          <DurationInput control={control} name="read_timeout_seconds" label={t.read} />
        </Box>
      </Section>
    </SectionForm>
  );
}

function Servers({ control }: { control: OriginControl }) {
  const t = useText(siteConfigText).originForm;
  const { fields, append, remove } = useFieldArray({ control, name: 'origins' });
  const states = originState.options.map((value) => ({ value, label: t.states[value] }));
  return (
    <Section title={t.servers} hint={t.serversHint}>
      <Stack sx={{ gap: 2 }}>
        {fields.map((field, index) => (
          <Paper
            key={field.id}
            variant="outlined"
            component="fieldset"
            aria-label={t.server(index + 1)}
            sx={{ p: 2, m: 0, minWidth: 0 }}
          >
            <Stack direction="row" sx={{ alignItems: 'center', mb: 1.5 }}>
              <Typography variant="subtitle2" sx={{ flex: 1 }}>
                {t.server(index + 1)}
              </Typography>
              <ActionIcon
                icon="delete"
                label={t.removeServer(index + 1)}
                onClick={() => remove(index)}
                disabled={fields.length === 1}
              />
            </Stack>
            <Box sx={{ ...grid(4), '& > :first-of-type': { gridColumn: { sm: 'span 2' } } }}>
              <TextInput control={control} name={`origins.${index}.address`} label={t.address} />
              <NumberInput control={control} name={`origins.${index}.http_port`} label={t.httpPort} />
              <NumberInput control={control} name={`origins.${index}.https_port`} label={t.httpsPort} />
              <SelectInput
                control={control}
                name={`origins.${index}.state`}
                label={t.state}
                options={states}
              />
              <NumberInput control={control} name={`origins.${index}.weight`} label={t.weight} />
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
            </Box>
          </Paper>
        ))}
        <Box>
          <Button
            color="inherit"
            variant="outlined"
            startIcon={<Icon name="add" />}
            onClick={() => append({ ...origin.parse({ address: '0.0.0.0' }), address: '' })}
          >
            {t.addServer}
          </Button>
        </Box>
      </Stack>
    </Section>
  );
}
