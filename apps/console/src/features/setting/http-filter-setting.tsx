import {
  filterActions,
  filterCategory,
  httpFilterSetting,
  type HttpFilterSetting,
} from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import type { Control } from 'react-hook-form';
import type * as z from 'zod';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { lineGroupChoices } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { Facts } from '../../kit/facts.tsx';
import { NumberInput, SelectInput, SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { LineListInput } from '../../kit/fields/list-inputs.tsx';
import { OrderedListInput } from '../../kit/fields/ordered-list-input.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { formWidth } from '../../kit/form/form-page.tsx';
import { formatCount } from '../../kit/format.ts';
import { Page, Section } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { LikeImages } from './http-filter-images.tsx';
import { SettingOf } from './setting-of.tsx';
import { httpFilterSettingText } from './http-filter-setting.text.ts';

export interface Fields {
  control: Control<z.input<typeof httpFilterSetting>, unknown, HttpFilterSetting>;
}
/** As the contract has it. */
const categoriesMax = 20;
/** The contract's defaults, of a category that it takes; the name is to be entered. */
const blank = () => ({ ...filterCategory.parse({ name: '-' }), name: '' });

/**
 * Violation monitoring: which words and pictures are looked for in pages of sites, how often, and what is done
 * about what is found (docs/violations.md).
 */
export function HttpFilterSettingScreen() {
  const t = useText(httpFilterSettingText);
  const read = useFormRead('getHttpFilterSetting', {});
  const update = useChange('updateHttpFilterSetting');
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <Stack sx={{ gap: 3, maxWidth: formWidth }}>
        <SettingOf
          schema={httpFilterSetting}
          read={read}
          route="updateHttpFilterSetting"
          save={(body) => update.mutateAsync({ body })}
          title={t.visits}
          hint={t.visitsHint}
        >
          {({ control }) => (
            <Stack sx={{ gap: 3, pt: 1 }}>
              <Visits control={control} />
              <OrderedListInput
                control={control}
                name="categories"
                label={t.categories}
                hint={t.categoriesHint}
                addLabel={t.add}
                blank={blank}
                max={categoriesMax}
              >
                {(index) => <Category control={control} index={index} />}
              </OrderedListInput>
            </Stack>
          )}
        </SettingOf>
        <Progress />
      </Stack>
    </Page>
  );
}

const twoColumns = { display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } };

/** How often sites are visited, and how much of visitors' traffic is searched besides. */
function Visits({ control }: Fields) {
  const t = useText(httpFilterSettingText);
  return (
    <>
      <SwitchInput control={control} name="enabled" label={t.enabled} />
      <Box sx={twoColumns}>
        <NumberInput control={control} name="interval_hours" label={t.interval} unit={t.hours} />
        <NumberInput control={control} name="pages_per_site" label={t.pages} />
        <NumberInput control={control} name="pages_per_second" label={t.perSecond} hint={t.perSecondHint} />
        <NumberInput
          control={control}
          name="sample_per_mille"
          label={t.sampled}
          unit="‰"
          hint={t.sampledHint}
        />
        <NumberInput
          control={control}
          name="submitted_per_mille"
          label={t.submitted}
          unit="‰"
          hint={t.submittedHint}
        />
        <SelectInput
          control={control}
          name="blacklisted_links"
          label={t.links}
          options={[
            { value: 'off', label: t.off },
            ...filterActions.map((value) => ({ value, label: t.actions[value] })),
          ]}
        />
      </Box>
    </>
  );
}

/** One kind of forbidden content; line groups narrow it to a market. */
function Category({ control, index }: Fields & { index: number }) {
  const t = useText(httpFilterSettingText);
  const name = `categories.${index}` as const;
  return (
    <Stack sx={{ gap: 2 }}>
      <Box sx={twoColumns}>
        <TextInput control={control} name={`${name}.name`} label={t.name} />
        <SelectInput
          control={control}
          name={`${name}.action`}
          label={t.action}
          options={filterActions.map((value) => ({ value, label: t.actions[value] }))}
        />
      </Box>
      <RemoteMultiSelect
        control={control}
        name={`${name}.line_group_ids`}
        label={t.lineGroups}
        hint={t.lineGroupsHint}
        choices={lineGroupChoices}
      />
      <LineListInput control={control} name={`${name}.words`} label={t.words} hint={t.wordsHint} rows={5} />
      <LineListInput
        control={control}
        name={`${name}.patterns`}
        label={t.patterns}
        hint={t.patternsHint}
        rows={2}
      />
      <LineListInput
        control={control}
        name={`${name}.content_hashes`}
        label={t.hashes}
        hint={t.hashesHint}
        rows={2}
      />
      <LikeImages control={control} index={index} />
    </Stack>
  );
}

/** How far the visits are; it helps to see whether the speed suits the number of sites. */
function Progress() {
  const t = useText(httpFilterSettingText);
  const may = useMay()('getHttpFilterState');
  const { data } = useApi('getHttpFilterState', {}, { enabled: may, refetchInterval: 10_000 });
  if (!data) return null;
  return (
    <Section title={t.state}>
      <Facts
        facts={[
          { label: t.sites, value: formatCount(data.sites) },
          { label: t.visited, value: formatCount(data.visited) },
          { label: t.due, value: formatCount(data.due) },
          { label: t.failed, value: formatCount(data.failed) },
          { label: t.last, value: data.last_at === null ? '' : <Time at={data.last_at} relative /> },
        ]}
      />
    </Section>
  );
}
