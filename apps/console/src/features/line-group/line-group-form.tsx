import { lineGroupInput, type LineGroup } from '@breakwater/contract';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { useFilledFrom } from '../../kit/form/form.tsx';
import { lineGroupText } from './line-group.text.ts';

export function LineGroupForm({ lineGroup, onClose }: { lineGroup: LineGroup | null; onClose: () => void }) {
  const t = useText(lineGroupText);
  const { form, control, drawer } = useEntityDrawer(lineGroupInput, {
    get: 'getLineGroup',
    create: 'createLineGroup',
    update: 'updateLineGroup',
    entity: lineGroup,
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
