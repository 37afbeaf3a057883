import { id, siteSectionNames, siteStatuses, type SiteSelection } from '@breakwater/contract';
import { FormControlLabel, FormLabel, Radio, RadioGroup, Stack, Typography } from '@mui/material';
import { useId } from 'react';
import type { Control, UseFormReturn } from 'react-hook-form';
import { useController, useWatch } from 'react-hook-form';
import * as z from 'zod';
import { siteChoices, tagChoices } from '../../../api/options.ts';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { countFor, useCounted } from '../../../kit/table/counted.ts';
import { SelectInput, TextInput } from '../../../kit/fields/inputs.tsx';
import { RemoteMultiSelect } from '../../../kit/fields/remote-multi-select.tsx';
import { RemoteSelect } from '../../../kit/fields/remote-select.tsx';
import { siteBatchText } from './batch.text.ts';
import { siteText } from '../site.text.ts';

/** A section for many sites: what of it, and for which, chosen by name or by what they match. */
export const sectionWork = z
  .strictObject({
    section: z.enum(siteSectionNames),
    /** The site whose section is taken. */
    source: id.optional(),
    /** JSON text. */
    value: z.string().trim().min(1),
    fields: z.array(z.string()),
    /** Which of the fields below say what sites are meant: `site_ids`, or the others as a filter. */
    by: z.enum(['ids', 'filter']),
    site_ids: z.array(id),
    domain_name: z.string().trim().max(200),
    tags_id: id.optional(),
    status: z.enum(siteStatuses).optional(),
  })
  .check((context) => {
    const { by, site_ids: ids } = context.value;
    if (by === 'ids' && ids.length === 0)
      context.issues.push({ code: 'custom', path: ['site_ids'], message: 'required', input: ids });
  });
type SectionWork = z.infer<typeof sectionWork>;
/** The empty form. A section is always chosen, and its value is an object that sets nothing. */
export const noWork: SectionWork = {
  section: siteSectionNames[0]!,
  source: undefined,
  value: '{}',
  fields: [],
  by: 'ids',
  site_ids: [],
  domain_name: '',
  tags_id: undefined,
  status: undefined,
};
export type WorkForm = UseFormReturn<SectionWork, unknown, SectionWork>;
type WorkControl = Control<SectionWork, unknown, SectionWork>;
type Targets = Pick<SectionWork, 'by' | 'site_ids' | 'domain_name' | 'tags_id' | 'status'>;

const filterOf = ({ domain_name, tags_id, status }: Targets) => ({
  domain_name: domain_name || undefined,
  tags_id,
  status,
});

/** The sites that the form means; none while those that match are being counted. */
export function useSelectedSites(control: WorkControl): SiteSelection | undefined {
  const [by, site_ids, domain_name, tags_id, status] = useWatch({
    control,
    name: ['by', 'site_ids', 'domain_name', 'tags_id', 'status'],
  });
  const filter = filterOf({ by, site_ids, domain_name, tags_id, status });
  const matching = useApi(
    'listSites',
    // Asked for the total alone.
    { query: { ...filter, page_size: 1 } },
    { keepPrevious: true, enabled: by === 'filter' },
  );
  // The number of another filter must not be sent with this one.
  const total = countFor(useCounted(filter, matching), filter);
  if (by === 'ids') return { site_ids };
  return total === undefined ? undefined : { filter, expected_total: total };
}

/** Which sites are meant. */
export function SiteTargets({ control, sites }: { control: WorkControl; sites: SiteSelection | undefined }) {
  const t = useText(siteBatchText);
  const { statuses } = useText(siteText);
  const labelId = useId();
  const { field } = useController({ control, name: 'by' });
  return (
    <Stack sx={{ gap: 2 }}>
      <div>
        <FormLabel id={labelId}>{t.targets}</FormLabel>
        <RadioGroup row aria-labelledby={labelId} {...field}>
          <FormControlLabel value="ids" control={<Radio size="small" />} label={t.byIds} />
          <FormControlLabel value="filter" control={<Radio size="small" />} label={t.byFilter} />
        </RadioGroup>
      </div>
      {field.value === 'ids' ? (
        <RemoteMultiSelect
          control={control}
          name="site_ids"
          label={t.sites}
          hint={t.sitesHint}
          choices={siteChoices}
        />
      ) : (
        <>
          <TextInput control={control} name="domain_name" label={t.domain} />
          <RemoteSelect
            control={control}
            name="tags_id"
            label={t.tag}
            choices={tagChoices}
            placeholder={t.any}
          />
          <SelectInput
            control={control}
            name="status"
            label={t.status}
            noneLabel={t.any}
            options={siteStatuses.map((value) => ({ value, label: statuses[value] }))}
          />
          <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
            {sites?.expected_total === undefined ? t.counting : t.reach(sites.expected_total)}
          </Typography>
        </>
      )}
    </Stack>
  );
}
