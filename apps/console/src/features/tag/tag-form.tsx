import { tagColours, tagInput, type Tag } from '@breakwater/contract';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { SelectInput, TextInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { notify } from '../../kit/toast.ts';
import { tagText } from './tag.text.ts';

export function TagForm({ tag, onClose }: { tag: Tag | null; onClose: () => void }) {
  const t = useText(tagText);
  const create = useChange('createTag', ['listTags']);
  const update = useChange('updateTag', ['listTags', 'listSites']);
  const form = useSchemaForm(tagInput, { name: tag?.name ?? '', color: tag?.color ?? 'blue' });
  const submit = submitForm(form, async (body) => {
    await (tag ? update.mutateAsync({ params: { id: tag.id }, body }) : create.mutateAsync({ body }));
    notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={tag ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <SelectInput
        control={form.control}
        name="color"
        label={t.color}
        options={tagColours.map((value) => ({ value, label: t.colors[value] }))}
      />
    </FormDrawer>
  );
}
