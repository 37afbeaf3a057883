import { certificateRoutes, type Certificate } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { GroupInput } from './group-input.tsx';
import { certificateText } from './certificate.text.ts';

/** Many certificates into one group, or out of theirs. */
export function useCertificatesGrouping() {
  const t = useText(certificateText);
  return useRowDialog<readonly Certificate[]>({
    route: 'groupCertificates',
    label: t.moveToGroup,
    icon: 'tag',
    render: (rows, close) => <GroupForm rows={rows} onClose={close} />,
  });
}

const schema = certificateRoutes.groupCertificates.body.pick({ group_name: true });

function GroupForm({ rows, onClose }: { rows: readonly Certificate[]; onClose: () => void }) {
  const t = useText(certificateText);
  const change = useChange('groupCertificates');
  const offer = useUndo();
  const [first] = rows;
  // The form begins with the group that all have, if they have one in common. Empty means: out of any group.
  const isOne = rows.every((row) => row.group_name === first?.group_name);
  const form = useSchemaForm(schema, { group_name: isOne ? (first?.group_name ?? '') : '' });
  const submit = submitForm(form, async ({ group_name }) => {
    const certificates = { certificate_ids: rows.map(({ id }) => id) };
    const { before } = await change.mutateAsync({ body: { certificates, group_name } });
    const undo = async () => {
      for (const { group_name: former, certificate_ids } of before)
        await change.mutateAsync({
          body: { certificates: { certificate_ids }, group_name: former, from: group_name },
        });
    };
    notify.success(
      group_name === '' ? t.ungrouped(rows.length) : t.grouped(rows.length, group_name),
      before.length > 0 ? offer(undo) : undefined,
    );
    onClose();
  });
  return (
    <FormDrawer title={t.moveTitle(rows.length)} form={form} onSubmit={submit} onClose={onClose}>
      <GroupInput control={form.control} />
    </FormDrawer>
  );
}
