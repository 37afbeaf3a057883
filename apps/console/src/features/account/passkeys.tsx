import { passkeyRoutes, type Passkey } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { canUsePasskeys } from '../../api/passkey.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { SectionHeading } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { accountText } from './account.text.ts';
import { PasskeyForm, PasskeyNameForm } from './passkey-form.tsx';

type Open = 'form' | { what: 'rename' | 'remove'; passkey: Passkey };

export function Passkeys() {
  const t = useText(accountText).passkeys;
  const kit = useText(kitText);
  const [search, setSearch] = useSearchState(passkeyRoutes.listPasskeys.query);
  const passkeys = useApi('listPasskeys', { query: search }, { keepPrevious: true });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const add = (
    <ActionButton
      icon="add"
      variant="contained"
      onClick={() => setOpen('form')}
      disabledReason={canUsePasskeys() ? undefined : t.unusable}
    >
      {t.add}
    </ActionButton>
  );
  const actionsFor = (passkey: Passkey): RowAction[] => [
    { label: t.rename, icon: 'edit', onClick: () => setOpen({ what: 'rename', passkey }) },
    {
      label: kit.remove,
      icon: 'delete',
      destructive: true,
      onClick: () => setOpen({ what: 'remove', passkey }),
    },
  ];
  return (
    <>
      <div>
        <SectionHeading title={t.title} hint={t.hint} />
      </div>
      <DataTable
        label={t.title}
        id="passkeys"
        columns={useColumns()}
        read={passkeys}
        rowKey={(passkey) => passkey.id}
        rowName={(passkey) => passkey.name}
        onPage={setSearch}
        actions={add}
        empty={
          <EmptyState
            icon="key"
            title={t.empty}
            hint={canUsePasskeys() ? t.emptyHint : t.unusable}
            action={add}
          />
        }
        rowActions={actionsFor}
      />
      {open === 'form' && <PasskeyForm onClose={close} />}
      {open && typeof open === 'object' && open.what === 'rename' && (
        <PasskeyNameForm passkey={open.passkey} onClose={close} />
      )}
      {open && typeof open === 'object' && open.what === 'remove' && (
        <Removal passkey={open.passkey} onClose={close} />
      )}
    </>
  );
}

function Removal({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useText(accountText).passkeys;
  const kit = useText(kitText);
  const remove = useChange('removePasskey');
  return (
    <Confirm
      title={t.removeTitle}
      body={t.removeBody(passkey.name)}
      action={kit.remove}
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: passkey.id } });
        notify.success(t.removed);
      }}
      onClose={onClose}
    />
  );
}

function useColumns(): Column<Passkey>[] {
  const t = useText(accountText).passkeys;
  return useMemo(
    () => [
      { id: 'name', header: t.name, cell: (passkey) => passkey.name },
      { id: 'host', header: t.host, cell: (passkey) => passkey.relying_party },
      {
        id: 'used',
        header: t.used,
        cell: (passkey) => (passkey.last_used_at ? <Time at={passkey.last_used_at} relative /> : t.never),
      },
      { id: 'created', header: t.created, cell: (passkey) => <Time at={passkey.created_at} /> },
    ],
    [t],
  );
}
