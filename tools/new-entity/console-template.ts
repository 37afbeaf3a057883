import type { Form, Names } from './names.ts';

export const formFile = (
  { kebab, camel, pascal, pascals }: Names,
  { secret }: Form,
): string => `import { ${camel}Input, type ${pascal} } from '@breakwater/contract';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { useEntityForm } from '../../kit/entity-form.tsx';
import { TextInput } from '../../kit/fields.tsx';
${secret ? `import { SecretInput } from '../../kit/fields/secret-input.tsx';\n` : ''}import { FormDrawer } from '../../kit/form-parts.tsx';
import { useFilledFrom } from '../../kit/form.tsx';
import { notify } from '../../kit/toast.ts';
import { ${camel}Text } from './${kebab}.text.ts';

export function ${pascal}Form({ ${camel}, onClose }: { ${camel}: ${pascal} | null; onClose: () => void }) {
  const t = useText(${camel}Text);
  const create = useChange('create${pascal}');
  const update = useChange('update${pascal}');
  const current = useApi('get${pascal}', { params: { id: ${camel}?.id ?? 0 } }, { enabled: false });
  const { form, submit, notice } = useEntityForm(${camel}Input, {
    entity: ${camel},
    inputOf: (item) => ({
      name: item?.name ?? '',
      description: item?.description ?? '',
      ${secret ? 'secret_set: item?.secret_set ?? false,' : ''}
    }),
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
    <FormDrawer title={${camel} ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <TextInput control={form.control} name="description" label={t.description} rows={3} />
      ${secret ? '<SecretInput control={form.control} name="secret" label={t.secret} removable />' : ''}
    </FormDrawer>
  );
}
`;

export const listFile = (
  { kebab, camel, camels, pascal, pascals }: Names,
  { owner, operation }: Form,
): string => `import { ${camel}Routes } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import { ${owner === 'client' ? 'useAccount, ' : ''}useMay } from '../../api/account.ts';
import type { Row } from '../../api/client.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
${owner === 'client' ? `import { to } from '../../kit/links.ts';\n` : ''}import { Page } from '../../kit/page.tsx';
${owner === 'client' ? `import { TextLink } from '../../kit/router-link.tsx';\n` : ''}import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { ${pascal}Form } from './${kebab}-form.tsx';
import { ${camel}Text } from './${kebab}.text.ts';

type ${pascal}Row = Row<'list${pascals}'>;

export const firstRead = firstPageOf('list${pascals}', ${camel}Routes.list${pascals}.query);

export function ${pascal}List() {
  const t = useText(${camel}Text);
  const kit = useText(kitText);
  const may = useMay();
  const [search, setSearch] = useSearchState(${camel}Routes.list${pascals}.query);
  const ${camels} = useApi('list${pascals}', { query: search }, { keepPrevious: true });
  const remove = useChange('remove${pascal}');
  ${operation ? `const check = useChange('check${pascal}');` : ''}
  const [editing, setEditing] = useState<${pascal}Row | 'new' | null>(null);
  const [removing, setRemoving] = useState<${pascal}Row | null>(null);
  const denied = may('create${pascal}') ? undefined : kit.noPermission;

  ${owner === 'client' ? `const admin = useAccount().role === 'admin';` : ''}

  const columns = useMemo<Column<${pascal}Row>[]>(
    () => [
      { id: 'name', header: t.name, cell: (${camel}) => ${camel}.name },
      { id: 'description', header: t.description, cell: (${camel}) => ${camel}.description || '–' },
      ${owner === 'client' ? ownerColumn(camel) : ''}
      ${operation ? `{ id: 'checked', header: t.checked, cell: (${camel}) => (${camel}.checked_at ? <Time at={${camel}.checked_at} /> : '–') },` : ''}
      { id: 'created', header: t.created, cell: (${camel}) => <Time at={${camel}.created_at} /> },
    ],
    [${owner === 'client' ? 'admin, ' : ''}t],
  );
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setEditing('new')} disabledReason={denied}>
      {t.add}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="${kebab}"
        columns={columns}
        read={${camels}}
        rowKey={(${camel}) => ${camel}.id}
        rowName={(${camel}) => ${camel}.name}
        onPage={setSearch}
        filtered={search.name !== undefined}
        filters={<FilterBar fields={[{ name: 'name', label: t.name, kind: 'text', inBar: true }]} values={search} onChange={setSearch} />}
        empty={<EmptyState icon="empty" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={(${camel}) => [
          { label: kit.edit, icon: 'edit', onClick: () => setEditing(${camel}), disabledReason: denied },
          ${operation ? checkAction(camel) : ''}
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(${camel}),
            disabledReason: denied,
          },
        ]}
      />
      {editing && <${pascal}Form ${camel}={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {removing && (
        <Confirm
          title={t.removeTitle}
          body={t.removeBody(removing.name)}
          action={kit.remove}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: removing.id } });
            notify.success(t.removed);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Page>
  );
}
`;

const ownerColumn = (camel: string): string => `...(admin
        ? [
            {
              id: 'owner',
              header: t.owner,
              cell: (${camel}: { client_id: number | null; client_name: string | null }) =>
                ${camel}.client_id === null ? t.platform : <TextLink target={to.clientDetail({ id: ${camel}.client_id })}>{${camel}.client_name}</TextLink>,
            },
          ]
        : []),`;

const checkAction = (camel: string): string => `{
            label: t.check,
            icon: 'task',
            onClick: () => {
              check.mutate({ params: { id: ${camel}.id } }, { onSuccess: () => notify.success(t.checkStarted), onError: (error) => notify.error(error.message) });
            },
            disabledReason: denied,
          },`;

/** @param label how the entity is called in Chinese; the English name where nobody has said yet. */
export const textFile = (
  { camel, title, titles, words }: Names,
  { owner, secret, operation }: Form,
  label: string,
): string => `import { defineText } from '../../i18n/text.ts';

export const ${camel}Text = defineText({
  zh: {
    title: '${label}',
    subtitle: '管理${label}。',
    name: '名称',
    description: '描述',
    created: '添加时间',
    ${secret ? `secret: '密钥',` : ''}
    ${owner === 'client' ? `owner: '所有者',\n    platform: '平台',` : ''}
    ${operation ? `checked: '上次检查',\n    check: '检查',\n    checkStarted: '检查已开始',` : ''}
    add: '添加${label}',
    edit: '编辑${label}',
    empty: '还没有${label}',
    emptyHint: '添加第一个${label}。',
    saved: '${label}已保存',
    removed: '${label}已删除',
    removeTitle: '删除${label}？',
    removeBody: (name: string) => \`将删除${label}“\${name}”。\`,
  },
  en: {
    title: '${titles}',
    subtitle: 'Manage ${words} entries.',
    name: 'Name',
    description: 'Description',
    created: 'Added',
    ${secret ? `secret: 'Secret',` : ''}
    ${owner === 'client' ? `owner: 'Owner',\n    platform: 'Platform',` : ''}
    ${operation ? `checked: 'Last check',\n    check: 'Check',\n    checkStarted: 'The check has begun',` : ''}
    add: 'Add ${words}',
    edit: 'Edit ${words}',
    empty: 'Nothing here yet',
    emptyHint: 'Add the first ${words}.',
    saved: '${title} saved',
    removed: '${title} deleted',
    removeTitle: 'Delete this ${words}?',
    removeBody: (name: string) => \`${title} “\${name}” will be deleted.\`,
  },
});
`;
