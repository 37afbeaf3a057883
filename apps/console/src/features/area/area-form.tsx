import { areaInput, type Area } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { useEntityForm } from '../../kit/entity-form.tsx';
import { TextInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { useFilledFrom } from '../../kit/form.tsx';
import { notify } from '../../kit/toast.ts';
import { areaText } from './area.text.ts';

export function AreaForm({ area, onClose }: { area: Area | null; onClose: () => void }) {
  const t = useText(areaText);
  const create = useChange('createArea');
  const update = useChange('updateArea');
  const current = useApi('getArea', { params: { id: area?.id ?? 0 } }, { enabled: false });
  const { form, submit, notice } = useEntityForm(areaInput, {
    entity: area,
    inputOf: (item) => ({ name: item?.name ?? '', description: item?.description ?? '' }),
    create: (body) => create.mutateAsync({ body }),
    update: (params, body) => update.mutateAsync({ params, body }),
    refetch: current.refetch,
    onSaved: () => {
      notify.success(t.saved);
      onClose();
    },
  });
  useFilledFrom(form, 'description', 'name');
  return (
    <FormDrawer title={area ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <TextInput control={form.control} name="description" label={t.description} rows={3} />
    </FormDrawer>
  );
}
