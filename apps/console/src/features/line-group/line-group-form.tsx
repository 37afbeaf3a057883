import { lineGroupInput, type LineGroup } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { useEntityForm } from '../../kit/entity-form.tsx';
import { TextInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { useFilledFrom } from '../../kit/form.tsx';
import { notify } from '../../kit/toast.ts';
import { lineGroupText } from './line-group.text.ts';

export function LineGroupForm({ lineGroup, onClose }: { lineGroup: LineGroup | null; onClose: () => void }) {
  const t = useText(lineGroupText);
  const create = useChange('createLineGroup');
  const update = useChange('updateLineGroup');
  const current = useApi('getLineGroup', { params: { id: lineGroup?.id ?? 0 } }, { enabled: false });
  const { form, submit, notice } = useEntityForm(lineGroupInput, {
    entity: lineGroup,
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
    <FormDrawer
      title={lineGroup ? t.edit : t.add}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      notice={notice}
    >
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <TextInput control={form.control} name="description" label={t.description} rows={3} />
    </FormDrawer>
  );
}
