import { compressionLevel, preloadKind, speedOptimize, type SpeedOptimize } from '@breakwater/contract';
import { Box, FormHelperText, Paper, Stack } from '@mui/material';
import { useFieldArray, useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import type { Data } from '../../../../api/client.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import { fieldsText } from '../../../../kit/fields/fields.text.ts';
import { ActionButton, ActionIcon } from '../../../../kit/action-button.tsx';
import { EmptyState } from '../../../../kit/empty-state.tsx';
import { FieldSourceNote } from '../../../../kit/fields/field-source.tsx';
import { useListMessage } from '../../../../kit/fields/list-message.ts';
import { SelectInput, SwitchInput, TagsInput, TextInput } from '../../../../kit/fields/inputs.tsx';
import { BytesInput } from '../../../../kit/fields/amount-inputs.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave } from '../../section/host.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { siteSpeedText } from './speed.text.ts';

type SpeedControl = Control<z.input<typeof speedOptimize>, unknown, SpeedOptimize>;

/** The tab “Compression and preload”, of a site or of a level: compression, and what browsers are told to preload. */
export function SiteSpeed() {
  const speed = useInherited('speed_optimize');
  return <Loaded read={speed}>{(data) => <SpeedForm latest={data} refetch={speed.refetch} />}</Loaded>;
}

interface SpeedFormProps {
  latest: Data<'getSpeedOptimize'>;
  refetch: ReturnType<typeof useFormRead<'getSpeedOptimize'>>['refetch'];
}

function SpeedForm({ latest, refetch }: SpeedFormProps) {
  const save = useInheritedSave('speed_optimize');
  const section = useSectionForm(speedOptimize, latest, save, refetch, 'speed_optimize');
  const { control } = section.form;
  return (
    <SectionForm section={section}>
      <Compression control={control} />
      <PreloadList control={control} />
    </SectionForm>
  );
}

function Compression({ control }: { control: SpeedControl }) {
  const t = useText(siteSpeedText);
  const [gzip, brotli] = useWatch({ control, name: ['gzip', 'brotli'] });
  const levels = compressionLevel.options.map((value) => ({ value, label: t.levels[value] }));
  return (
    <Section title={t.compression} hint={t.compressionHint}>
      <Stack sx={{ gap: 2 }}>
        <Box sx={fieldGrid}>
          <SwitchInput control={control} name="gzip" label={t.gzip} hint={t.gzipHint} />
          <SwitchInput control={control} name="brotli" label={t.brotli} hint={t.brotliHint} />
        </Box>
        {(gzip || brotli) && (
          <>
            <Box sx={fieldGrid}>
              <SelectInput
                control={control}
                name="level"
                label={t.level}
                hint={t.levelHint}
                options={levels}
              />
              <BytesInput
                control={control}
                name="min_length_bytes"
                label={t.minLength}
                hint={t.minLengthHint}
              />
            </Box>
            <TagsInput control={control} name="types" label={t.types} hint={t.typesHint} />
          </>
        )}
      </Stack>
    </Section>
  );
}

/** As the contract has it. */
const preloadMax = 50;

/** `Link: rel=preload` on pages, so that a browser asks for these before it has read the page. */
function PreloadList({ control }: { control: SpeedControl }) {
  const t = useText(siteSpeedText);
  const { full } = useText(fieldsText);
  const { fields, append, remove } = useFieldArray({ control, name: 'preload' });
  const preload = useWatch({ control, name: 'preload' });
  const message = useListMessage(control, 'preload', t.preload);
  const kinds = preloadKind.options.map((value) => ({ value, label: t.kinds[value] }));
  const add = (
    <ActionButton
      color="inherit"
      variant="outlined"
      icon="add"
      disabledReason={fields.length >= preloadMax ? full(preloadMax) : undefined}
      onClick={() => append({ path: '/', url: '', as: 'style' })}
    >
      {t.add}
    </ActionButton>
  );
  return (
    <Section title={t.preload} hint={t.preloadHint} actions={fields.length > 0 && add}>
      <FieldSourceNote name="preload" />
      {message && <FormHelperText error>{message}</FormHelperText>}
      {fields.length === 0 && (
        <EmptyState icon="prefetch" title={t.preloadEmpty} hint={t.preloadEmptyHint} action={add} />
      )}
      <Stack sx={{ gap: 2 }}>
        {fields.map((field, index) => (
          <Paper
            key={field.id}
            variant="outlined"
            component="fieldset"
            aria-label={t.item(preload?.[index]?.url ?? '')}
            sx={{ p: 2, m: 0, minWidth: 0, display: 'flex', gap: 1, alignItems: 'flex-start' }}
          >
            <Box sx={{ ...fieldGrid, flex: 1 }}>
              <TextInput control={control} name={`preload.${index}.path`} label={t.path} hint={t.pathHint} />
              <TextInput
                control={control}
                name={`preload.${index}.url`}
                label={t.url}
                placeholder="/css/site.css"
              />
              <SelectInput control={control} name={`preload.${index}.as`} label={t.as} options={kinds} />
            </Box>
            <ActionIcon
              icon="delete"
              label={t.remove(preload?.[index]?.url ?? '')}
              onClick={() => remove(index)}
            />
          </Paper>
        ))}
      </Stack>
    </Section>
  );
}
