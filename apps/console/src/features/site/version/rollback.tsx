import { id, siteSectionNames, type SiteRevision } from '@breakwater/contract';
import { Alert, Box, Typography } from '@mui/material';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { useChange } from '../../../api/change.ts';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { SelectInput } from '../../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../../kit/form/form.tsx';
import { Loaded } from '../../../kit/loaded.tsx';
import { SiteChanges } from '../change/changes.tsx';
import { useSite } from '../context.tsx';
import { siteVersionsText } from './versions.text.ts';
import { siteText } from '../site.text.ts';

const wanted = z.strictObject({
  revision_id: id,
  section: z.enum(['domains', ...siteSectionNames]).optional(),
});

/**
 * Puts the whole configuration, or one section of it, back to what it was. The site's status stays
 * (docs/site-status.md), and it makes a new version.
 */
export function SiteRollback({ target, onClose }: { target: SiteRevision; onClose: () => void }) {
  const t = useText(siteVersionsText);
  const { revisions } = useText(siteText);
  const { site, onSent, undoOf } = useSite();
  const rollback = useChange('rollbackSite');
  // Without a section: everything but the status.
  const form = useSchemaForm(wanted, { revision_id: target.id, section: undefined });
  const section = useWatch({ control: form.control, name: 'section' });
  const preview = useApi('previewSiteRollback', {
    params: { id: site.id },
    query: { revision_id: target.id, section },
  });
  const submit = submitForm(form, async (body) => {
    // The version that the preview was made of: somebody's change in between is not rolled back unseen.
    const version = preview.data?.version ?? site.version;
    try {
      const rolled = await rollback.mutateAsync({ params: { id: site.id }, body: { ...body, version } });
      onSent(rolled.version > version ? undoOf(rolled.version) : undefined);
    } catch (error) {
      await preview.refetch();
      throw error;
    }
    onClose();
  });
  const names = ['domains', ...siteSectionNames] as const;
  return (
    <FormDrawer
      title={revisions.rollbackTitle(target.version)}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={revisions.rollback}
    >
      <Alert severity="info">{revisions.rollbackBody}</Alert>
      <SelectInput
        control={form.control}
        name="section"
        label={t.what}
        hint={t.whatHint}
        noneLabel={t.whole}
        options={names.map((value) => ({ value, label: revisions.sections[value] }))}
      />
      <Box role="status">
        <Typography variant="subtitle2" sx={{ mb: 1 }}>
          {t.previewTitle}
        </Typography>
        <Loaded read={preview}>
          {({ diff }) => (diff.length > 0 ? <SiteChanges entries={diff} /> : <>{t.nothing}</>)}
        </Loaded>
      </Box>
    </FormDrawer>
  );
}
