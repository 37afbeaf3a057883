import { siteRoutes } from '@breakwater/contract';
import * as z from 'zod';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { useEntityForm } from '../../../kit/form/entity-form.tsx';
import { TagsInput } from '../../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../../kit/form/form-parts.tsx';
import { useSite } from '../context.tsx';
import { useSectionSave } from '../section/form.tsx';
import { siteText } from '../site.text.ts';

const domainsInput = z.object({ domains: siteRoutes.updateSiteDomains.body.shape.domains });

/** The domains of a site. Like a section it is saved over the version of the site that it was built on. */
export function DomainsForm({ onClose }: { onClose: () => void }) {
  const t = useText(siteText);
  const { site, onSent } = useSite();
  // Read by the form when it opens, and after somebody else was faster; never by itself.
  const current = useApi('getSite', { params: { id: site.id } }, { enabled: false });
  const save = useSectionSave('updateSiteDomains');
  const { form, submit, notice } = useEntityForm(domainsInput, {
    entity: site,
    inputOf: (item) => ({ domains: item?.domains ?? [] }),
    update: (params, body) => save({ params, body }),
    refetch: current.refetch,
    onSaved: (undo) => {
      onSent(undo);
      onClose();
    },
  });
  return (
    <FormDrawer title={t.actions.editDomains} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <TagsInput control={form.control} name="domains" label={t.domains} hint={t.create.domainsHint} />
    </FormDrawer>
  );
}
