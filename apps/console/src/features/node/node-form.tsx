import { nodeInput, type Node } from '@breakwater/contract';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Data } from '../../api/client.ts';
import { areaChoices, useFirst } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { useEntityForm } from '../../kit/form/entity-form.tsx';
import { SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { notify } from '../../kit/toast.ts';
import { NodeCredentials } from './node-credentials.tsx';
import { nodeText } from './node.text.ts';

/**
 * A node, or (`node` null) a new one, whose credentials are shown once it is made. `areaId`: the area that the list is narrowed to.
 */
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
  const firstArea = useFirst('listAreas');
  const create = useChange('createNode');
  const update = useChange('updateNode');
  const [made, setMade] = useState<Data<'createNode'> | null>(null);
  const current = useApi('getNode', { params: { id: node?.id ?? 0 } }, { enabled: false });
  const offer = useUndo();
  const { form, submit, notice } = useEntityForm(nodeInput, {
    entity: node,
    inputOf: (item) => ({
      name: item?.name ?? '',
      area_id: item?.area_id ?? areaId ?? firstArea,
      ip: item?.ip ?? '',
      enabled: item?.enabled ?? true,
    }),
    create: async (body) => setMade(await create.mutateAsync({ body })),
    update: (params, body) => update.mutateAsync({ params, body }),
    refetch: current.refetch,
    onSaved: (undo) => {
      // A new one shows its credentials first.
      if (!node) return;
      notify.success(t.saved, undo && offer(undo));
      onClose();
    },
  });
  // The secret is shown this once: the form gives way to it instead of closing.
  if (made) return <NodeCredentials credentials={made} name={form.getValues('name')} onClose={onClose} />;
  return (
    <FormDrawer title={node ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <RemoteSelect control={form.control} name="area_id" label={t.area} choices={areaChoices} />
      <TextInput control={form.control} name="ip" label={t.ip} hint={t.ipHint} />
      <SwitchInput control={form.control} name="enabled" label={t.enabled} hint={t.enabledHint} />
    </FormDrawer>
  );
}
