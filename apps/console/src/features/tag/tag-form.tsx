import { tagColours, tagInput, type Tag } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { useEntityForm } from '../../kit/entity-form.tsx';
import { SelectInput, TextInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { notify } from '../../kit/toast.ts';
import { tagText } from './tag.text.ts';

export function TagForm({ tag, onClose }: { tag: Tag | null; onClose: () => void }) {
  const t = useText(tagText);
  const create = useChange('createTag');
  const update = useChange('updateTag');
  const current = useApi('getTag', { params: { id: tag?.id ?? 0 } }, { enabled: false });
  const { form, submit, notice } = useEntityForm(tagInput, {
    entity: tag,
    inputOf: (item) => ({ name: item?.name ?? '', color: item?.color ?? 'blue' }),
    create: (body) => create.mutateAsync({ body }),
    update: (params, body) => update.mutateAsync({ params, body }),
    refetch: current.refetch,
    onSaved: () => {
      notify.success(t.saved);
      onClose();
    },
  });
  return (
    <FormDrawer title={tag ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
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
