import { areaInput, type Area } from '@breakwater/contract';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { notify } from '../../kit/toast.ts';
import { areaText } from './area.text.ts';

export function AreaForm({ area, onClose }: { area: Area | null; onClose: () => void }) {
  const t = useText(areaText);
  const create = useChange('createArea', ['listAreas']);
  const update = useChange('updateArea', ['listAreas', 'listNodes']);
  const form = useSchemaForm(areaInput, { name: area?.name ?? '', description: area?.description ?? '' });
  const submit = submitForm(form, async (body) => {
    await (area ? update.mutateAsync({ params: { id: area.id }, body }) : create.mutateAsync({ body }));
    notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={area ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <TextInput control={form.control} name="description" label={t.description} rows={3} />
    </FormDrawer>
  );
}
