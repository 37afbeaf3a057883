import {
  cacheRule,
  cacheRuleSection,
  cacheRuleType,
  queryPolicy,
  type CacheRule,
} from '@breakwater/contract';
import { Box, Button, Paper, Stack, Typography } from '@mui/material';
import { useFieldArray, useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../../kit/action-button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { DurationInput, SelectInput, SwitchInput, TagsInput } from '../../kit/fields.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { CachePreview } from './site-cache-preview.tsx';
import { SectionForm, useSectionForm, useSectionSave } from './section-form.tsx';
import { useSite } from './site-context.tsx';
import { siteConfigText } from './site-config.text.ts';

type CacheRules = z.output<typeof cacheRuleSection>;
export type CacheControl = Control<z.input<typeof cacheRuleSection>, unknown, CacheRules>;

export function SiteCache() {
  const { site } = useSite();
  const rules = useApi('getCacheRule', { query: { site_id: site.id } });
  return <Loaded read={rules}>{(data) => <CacheForm latest={data} refetch={rules.refetch} />}</Loaded>;
}

interface CacheFormProps {
  latest: { version: number; value: CacheRules };
  refetch: ReturnType<typeof useApi<'getCacheRule'>>['refetch'];
}

const newRule: CacheRule = { ...cacheRule.parse({ type: 'all' }), type: 'suffix', ttl_seconds: 86_400 };

function CacheForm({ latest, refetch }: CacheFormProps) {
  const t = useText(siteConfigText).cacheForm;
  const { site } = useSite();
  const save = useSectionSave('updateCacheRule');
  const section = useSectionForm(
    cacheRuleSection,
    latest,
    (body) => save({ query: { site_id: site.id }, body }),
    refetch,
  );
  const { control } = section.form;
  const { fields, append, remove, move } = useFieldArray({ control, name: 'rules' });
  const add = (
    <Button
      color="inherit"
      variant="outlined"
      startIcon={<Icon name="add" />}
      onClick={() => append(newRule)}
    >
      {t.add}
    </Button>
  );
  return (
    <SectionForm section={section}>
      <Section title={t.rules} hint={t.rulesHint} actions={fields.length > 0 && add}>
        {fields.length === 0 && <EmptyState icon="task" title={t.empty} hint={t.emptyHint} action={add} />}
        <Stack sx={{ gap: 2 }}>
          {fields.map((field, index) => (
            <Paper
              key={field.id}
              variant="outlined"
              component="fieldset"
              aria-label={t.rule(index + 1)}
              sx={{ p: 2, m: 0, minWidth: 0 }}
            >
              <Stack direction="row" sx={{ alignItems: 'center', gap: 0.5, mb: 1.5 }}>
                <Typography variant="subtitle2" sx={{ flex: 1 }}>
                  {t.rule(index + 1)}
                </Typography>
                <SwitchInput control={control} name={`rules.${index}.enabled`} label={t.enabled} />
                <ActionIcon
                  icon="move-up"
                  label={t.up(index + 1)}
                  onClick={() => move(index, index - 1)}
                  disabled={index === 0}
                />
                <ActionIcon
                  icon="move-down"
                  label={t.down(index + 1)}
                  onClick={() => move(index, index + 1)}
                  disabled={index === fields.length - 1}
                />
                <ActionIcon icon="delete" label={t.remove(index + 1)} onClick={() => remove(index)} />
              </Stack>
              <RuleFields control={control} index={index} />
            </Paper>
          ))}
        </Stack>
      </Section>
      <CachePreview control={control} />
    </SectionForm>
  );
}

function RuleFields({ control, index }: { control: CacheControl; index: number }) {
  const t = useText(siteConfigText).cacheForm;
  const rule = useWatch({ control, name: `rules.${index}` });
  const types = cacheRuleType.options.map((value) => ({ value, label: t.types[value] }));
  const actions = (['cache', 'bypass', 'follow_origin'] as const).map((value) => ({
    value,
    label: t.actions[value],
  }));
  const queries = queryPolicy.options.map((value) => ({ value, label: t.queries[value] }));
  const named = rule.query_policy === 'include' || rule.query_policy === 'exclude';
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 200px), 1fr))',
      }}
    >
      <SelectInput control={control} name={`rules.${index}.type`} label={t.type} options={types} />
      {rule.type !== 'all' && (
        <Box sx={{ gridColumn: { sm: 'span 2' } }}>
          <TagsInput
            control={control}
            name={`rules.${index}.content`}
            label={t.content}
            placeholder={t.placeholders[rule.type]}
          />
        </Box>
      )}
      <SelectInput control={control} name={`rules.${index}.action`} label={t.action} options={actions} />
      {rule.action === 'cache' && (
        <DurationInput control={control} name={`rules.${index}.ttl_seconds`} label={t.ttl} />
      )}
      {rule.action !== 'bypass' && (
        <SelectInput
          control={control}
          name={`rules.${index}.query_policy`}
          label={t.query}
          options={queries}
        />
      )}
      {rule.action !== 'bypass' && named && (
        <TagsInput control={control} name={`rules.${index}.query_names`} label={t.names} />
      )}
    </Box>
  );
}
