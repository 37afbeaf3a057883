import { lineGroupInput, type LineGroup } from '@breakwater/contract';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { notify } from '../../kit/toast.ts';
import { lineGroupText } from './line-group.text.ts';

export function LineGroupForm({ lineGroup, onClose }: { lineGroup: LineGroup | null; onClose: () => void }) {
  const t = useText(lineGroupText);
  const create = useChange('createLineGroup', ['listLineGroups']);
  const update = useChange('updateLineGroup', ['listLineGroups', 'getLineGroup']);
  const form = useSchemaForm(lineGroupInput, {
    name: lineGroup?.name ?? '',
    description: lineGroup?.description ?? '',
  });
  const submit = submitForm(form, async (body) => {
    await (lineGroup
      ? update.mutateAsync({ params: { id: lineGroup.id }, body })
      : create.mutateAsync({ body }));
    notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={lineGroup ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <TextInput control={form.control} name="description" label={t.description} rows={3} />
    </FormDrawer>
  );
}
