import { passkeyRoutes, type Passkey } from '@breakwater/contract';
import { canUsePasskeys } from '../../api/passkey.ts';
import { useRemoval } from '../../frame/asking.tsx';
import { useAdding } from '../../frame/editing.tsx';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { SectionHeading } from '../../kit/page.tsx';
import { accountText } from './account.text.ts';
import { PasskeyForm, PasskeyNameForm } from './passkey-form.tsx';

const passkeys = listOf('listPasskeys', passkeyRoutes.listPasskeys.query);

const useColumns = passkeys.columns(accountText, ({ passkeys: t }, column) => [
  column.name(t.name, ({ name }) => name),
  column.text('relying_party', t.host),
  column.time('last_used_at', t.used, { relative: true, never: t.never }),
  column.time('created_at', t.created),
]);

/** One's own passkeys. Each is for the host that it was made at; browsers offer it nowhere else. */
export function Passkeys() {
  const t = useText(accountText).passkeys;
  // Browsers offer them to secure pages with a name only (WebAuthn, §5.1): an address of a machine has none.
  const unusable = canUsePasskeys() ? undefined : t.unusable;
  const { add, dialog } = useAdding({
    create: 'addPasskey',
    text: t,
    why: unusable,
    form: (close) => <PasskeyForm onClose={close} />,
  });
  const renaming = useRowDialog<Passkey>({
    route: 'renamePasskey',
    label: t.rename,
    icon: 'edit',
    render: (passkey, close) => <PasskeyNameForm passkey={passkey} onClose={close} />,
  });
  const removal = useRemoval<Passkey>('removePasskey', { text: t, body: ({ name }) => t.removeBody(name) });
  return (
    <>
      <div>
        <SectionHeading title={t.title} hint={t.hint} />
      </div>
      <ListTable
        id="passkeys"
        list={passkeys.use()}
        text={{ ...t, emptyHint: unusable ?? t.emptyHint }}
        icon="passkey"
        add={add}
        actions={add}
        columns={useColumns()}
        rowName={({ name }) => name}
        rowActions={(passkey) => [renaming.action(passkey), removal.action(passkey)]}
      />
      {dialog}
      {renaming.dialog}
      {removal.dialog}
    </>
  );
}
