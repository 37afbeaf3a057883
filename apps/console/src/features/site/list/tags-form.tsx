import { id } from '@breakwater/contract';
import { Alert } from '@mui/material';
import { useState } from 'react';
import * as z from 'zod';
import { useChange } from '../../../api/change.ts';
import { tagChoices } from '../../../api/options.ts';
import { useUndo } from '../../../frame/undo.ts';
import { useText } from '../../../i18n/text.ts';
import { RemoteMultiSelect } from '../../../kit/fields/remote-multi-select.tsx';
import { FormDrawer } from '../../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../../kit/form/form.tsx';
import { notify } from '../../../kit/toast.ts';
import { selectionOf, WhichSites, type ListChoice, type Which } from './selection.tsx';
import { siteListText } from './list.text.ts';

const tagging = z.strictObject({ add: z.array(id), remove: z.array(id) });

/** Puts tags on many sites and takes others off. */
export function SiteTagsForm({ choice, onClose }: { choice: ListChoice; onClose: () => void }) {
  const t = useText(siteListText);
  const [which, setWhich] = useState<Which>('selected');
  const [nothing, setNothing] = useState(false);
  const change = useChange('tagSites');
  const offer = useUndo();
  const form = useSchemaForm(tagging, { add: [], remove: [] });
  const submit = submitForm(form, async ({ add, remove }) => {
    // The server would count the sites and change none of them; that would read as if something had been done.
    setNothing(add.length + remove.length === 0);
    if (add.length + remove.length === 0) return;
    const { site_count: count, changed } = await change.mutateAsync({
      body: { sites: selectionOf(choice, which), add, remove },
    });
    const undo = async () => {
      for (const { tag_id: tag, change: was, site_ids } of changed)
        await change.mutateAsync({
          body: { sites: { site_ids }, [was === 'added' ? 'remove' : 'add']: [tag] },
        });
    };
    notify.success(t.tagged(count), changed.length > 0 ? offer(undo) : undefined);
    onClose();
  });
  return (
    <FormDrawer title={t.tagTitle} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.tagSubmit}>
      <RemoteMultiSelect
        control={form.control}
        name="add"
        label={t.tagAdd}
        hint={t.tagAddHint}
        choices={tagChoices}
      />
      <RemoteMultiSelect control={form.control} name="remove" label={t.tagRemove} choices={tagChoices} />
      <WhichSites choice={choice} which={which} onChange={setWhich} />
      {nothing && <Alert severity="info">{t.tagNothing}</Alert>}
    </FormDrawer>
  );
}
