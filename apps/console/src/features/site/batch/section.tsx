import {
  isInheritedSection,
  sectionFields,
  siteSectionNames,
  siteSections,
  type SiteFile,
  type SiteSection,
} from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { useChange } from '../../../api/change.ts';
import { ApiError, fetchFile } from '../../../api/client.ts';
import { siteChoices } from '../../../api/options.ts';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { MultiSelectInput, SelectInput } from '../../../kit/fields/inputs.tsx';
import { CodeInput } from '../../../kit/fields/code-input.tsx';
import { RemoteSelect } from '../../../kit/fields/remote-select.tsx';
import { FormFrame } from '../../../kit/form/form-page.tsx';
import { submitForm, useSchemaForm } from '../../../kit/form/form.tsx';
import { to } from '../../../kit/links.ts';
import { Section } from '../../../kit/page.tsx';
import { notify } from '../../../kit/toast.ts';
import { useSectionOptions } from '../section/options.ts';
import { siteBatchText } from './batch.text.ts';
import { noWork, sectionWork, SiteTargets, useSelectedSites, type WorkForm } from './targets.tsx';

/**
 * One section of many sites, as a whole or some of its fields. The value is JSON, and may be taken from a site that has it as wanted.
 */
export function SiteBatchSection() {
  const t = useText(siteBatchText);
  const denial = useDenial();
  const navigate = useNavigate();
  const change = useChange('changeSitesSection');
  const form = useSchemaForm(sectionWork, useAskedWork());
  const { control, getValues, setValue, setError } = form;
  const [section, source] = useWatch({ control, name: ['section', 'source'] });
  useChosenFields(form);
  const sites = useSelectedSites(control);
  // Fields belong to the section they were chosen of.
  useEffect(() => {
    setValue('fields', []);
    if (source === undefined) return undefined;
    const stop = new AbortController();
    // The file of a site has no secrets and no certificates: each site keeps its own.
    const read = async () => {
      const { content } = await fetchFile('exportSite', { params: { id: source } }, stop.signal);
      return JSON.parse(await content.text()) as SiteFile;
    };
    read().then(
      ({ sections }) => {
        const value = withChosen(section, sections[section] as object, getValues('fields'));
        setValue('value', JSON.stringify(value, null, 2), { shouldDirty: true });
      },
      (error: Error) => !stop.signal.aborted && notify.refused(error.message),
    );
    return () => stop.abort();
  }, [section, source, getValues, setValue]);
  const submit = submitForm(form, async (work) => {
    // Sites that match are still being counted, and the call has to say how many they are.
    if (sites === undefined) throw new Error(t.counting);
    const value = parsed(work.value);
    if (value instanceof Error) return setError('value', { message: t.badJson(value.message) });
    try {
      const { id } = await change.mutateAsync({
        body: { sites, section: work.section, value, fields: work.fields },
      });
      form.reset(work);
      await navigate({ ...to.siteBatchDetail({ id }), ignoreBlocker: true });
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : [];
      // The value is one text here: what is wrong within it is said below it, by the places that the server names.
      if (!fields.some(({ path }) => path.startsWith('value.'))) throw error;
      setError('value', { message: fields.map(({ path, message }) => `${path}: ${message}`).join(' · ') });
    }
  });
  return (
    <Box sx={{ maxWidth: 860 }}>
      <FormFrame
        form={form}
        onSubmit={submit}
        submitLabel={t.apply}
        disabledReason={denial('changeSitesSection')}
      >
        <Section>
          <Stack sx={{ gap: 3 }}>
            <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
              <SelectInput control={control} name="section" label={t.section} options={useSectionOptions()} />
              <RemoteSelect
                control={control}
                name="source"
                label={t.source}
                hint={t.sourceHint}
                choices={siteChoices}
              />
            </Box>
            <CodeInput
              control={control}
              name="value"
              label={t.value}
              hint={t.valueHint}
              language="json"
              rows={10}
            />
            <FieldChoice control={control} section={section} />
            <SiteTargets control={control} sites={sites} />
          </Stack>
        </Section>
      </FormFrame>
    </Box>
  );
}

/**
 * A link may name a section and sites: those that were selected in their list. One id alone comes out of the address as a number.
 */
function useAskedWork(): typeof noWork {
  const search = useSearch({ strict: false }) as { section?: string; site_ids?: string | number };
  const section = siteSectionNames.find((name) => name === search.section) ?? noWork.section;
  const ids = String(search.site_ids ?? '')
    .split(',')
    .map(Number)
    .filter((each) => Number.isInteger(each) && each > 0);
  return { ...noWork, section, site_ids: ids };
}

/** What is chosen stands in the value, to be seen and edited: what it does not have yet, by its default. */
function useChosenFields({ control, getValues, setValue }: WorkForm) {
  const [section, fields] = useWatch({ control, name: ['section', 'fields'] });
  useEffect(() => {
    const value = parsed(getValues('value'));
    // Also ends this effect, which changes what it depends on.
    if (value instanceof Error || fields.every((field) => field in value)) return;
    setValue('value', JSON.stringify(withChosen(section, value, fields), null, 2), { shouldDirty: true });
  }, [section, fields, getValues, setValue]);
}

/**
 * Fields of an inherited section that are named and absent would be given up at every site (docs/many-sites.md), so
 * they are filled in with what they are by default. Null sets one to nothing.
 */
function withChosen(section: SiteSection, value: object, fields: readonly string[]): object {
  if (!isInheritedSection(section)) return value;
  const defaults: Record<string, unknown> = siteSections[section].parse(undefined);
  const missing = fields.filter((field) => !(field in value));
  return { ...value, ...Object.fromEntries(missing.map((field) => [field, defaults[field] ?? null])) };
}

/** Which of a section's fields are meant. */
export function FieldChoice({
  control,
  section,
}: {
  control: Parameters<typeof SiteTargets>[0]['control'];
  section: SiteSection;
}) {
  const t = useText(siteBatchText);
  // Which certificates a site has is its own.
  const fields = sectionFields(section).filter((field) => field !== 'certificate_ids');
  return (
    <MultiSelectInput
      control={control}
      name="fields"
      label={t.fields}
      hint={t.fieldsHint}
      options={fields.map((field) => ({ value: field, label: field }))}
    />
  );
}

/** Answers an error instead of throwing it: what is half typed is to be expected. */
function parsed(text: string): Record<string, unknown> | Error {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    return new Error('{ … }');
  } catch (error) {
    return error as Error;
  }
}
