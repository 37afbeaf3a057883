import { areaInput, type Area } from '@breakwater/contract';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { useFilledFrom } from '../../kit/form/form.tsx';
import { areaText } from './area.text.ts';

/** Where nodes stand. It orders them in lists, and nothing depends on it. */
export function AreaForm({ area, onClose }: { area: Area | null; onClose: () => void }) {
  const t = useText(areaText);
  const { form, control, drawer } = useEntityDrawer(areaInput, {
    get: 'getArea',
    create: 'createArea',
    update: 'updateArea',
    entity: area,
    inputOf: (item) => ({ name: item?.name ?? '', description: item?.description ?? '' }),
    text: t,
    onClose,
  });
  useFilledFrom(form, 'description', 'name');
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <TextInput control={control} name="description" label={t.description} rows={3} />
    </FormDrawer>
  );
}
