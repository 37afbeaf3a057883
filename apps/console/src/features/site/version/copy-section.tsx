import { Alert } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { useChange } from '../../../api/change.ts';
import { useText } from '../../../i18n/text.ts';
import { SelectInput } from '../../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../../kit/form/form.tsx';
import { to } from '../../../kit/links.ts';
import { useSectionOptions } from '../section/options.ts';
import { FieldChoice } from '../batch/section.tsx';
import { siteBatchText } from '../batch/batch.text.ts';
import { useSite } from '../context.tsx';
import { noWork, sectionWork, SiteTargets, useSelectedSites } from '../batch/targets.tsx';
import { siteVersionsText } from './versions.text.ts';

/**
 * Copies a section of the site to others, as a batch. The value is read by the server: unlike what a browser could
 * send, it has the secrets, which go to sites of the same customer.
 */
export function SiteCopySection({ onClose }: { onClose: () => void }) {
  const t = useText(siteVersionsText);
  const batch = useText(siteBatchText);
  const navigate = useNavigate();
  const { site } = useSite();
  const copy = useChange('copySiteSection');
  const form = useSchemaForm(sectionWork, { ...noWork, source: site.id });
  const section = useWatch({ control: form.control, name: 'section' });
  const { setValue } = form;
  // Each section has fields of its own.
  useEffect(() => setValue('fields', []), [section, setValue]);
  const sites = useSelectedSites(form.control);
  const submit = submitForm(form, async (work) => {
    // Those that match are still being counted: without a number the server could not tell whether they are still the same.
    if (sites === undefined) throw new Error(batch.counting);
    const { id } = await copy.mutateAsync({
      params: { id: site.id },
      body: { section: work.section, fields: work.fields, sites },
    });
    form.reset(work);
    await navigate({ ...to.siteBatchDetail({ id }), ignoreBlocker: true });
  });
  return (
    <FormDrawer title={t.copyTitle} form={form} onSubmit={submit} onClose={onClose} submitLabel={batch.copy}>
      <Alert severity="info">{t.copyHint}</Alert>
      <SelectInput
        control={form.control}
        name="section"
        label={batch.section}
        options={useSectionOptions()}
      />
      <FieldChoice control={form.control} section={section} />
      <SiteTargets control={form.control} sites={sites} />
    </FormDrawer>
  );
}
