import { nodeInput, type Node } from '@breakwater/contract';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Data } from '../../api/client.ts';
import { useAreaOptions } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import { SelectInput, SwitchInput, TextInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { notify } from '../../kit/toast.ts';
import { NodeCredentials } from './node-credentials.tsx';
import { nodeText } from './node.text.ts';

export function NodeForm({
  node,
  areaId,
  onClose,
}: {
  node: Node | null;
  areaId?: number | undefined;
  onClose: () => void;
}) {
  const t = useText(nodeText);
  const areas = useAreaOptions();
  const create = useChange('createNode');
  const update = useChange('updateNode');
  const [made, setMade] = useState<Data<'createNode'> | null>(null);
  const form = useSchemaForm(nodeInput, {
    name: node?.name ?? '',
    area_id: node?.area_id ?? areaId ?? areas[0]?.value,
    ip: node?.ip ?? '',
    enabled: node?.enabled ?? true,
  });
  const submit = submitForm(form, async (body) => {
    if (!node) return setMade(await create.mutateAsync({ body }));
    await update.mutateAsync({ params: { id: node.id }, body });
    notify.success(t.saved);
    onClose();
  });
  if (made) return <NodeCredentials credentials={made} name={form.getValues('name')} onClose={onClose} />;
  return (
    <FormDrawer title={node ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <SelectInput control={form.control} name="area_id" label={t.area} options={areas} />
      <TextInput control={form.control} name="ip" label={t.ip} hint={t.ipHint} />
      <SwitchInput control={form.control} name="enabled" label={t.enabled} hint={t.enabledHint} />
    </FormDrawer>
  );
}
