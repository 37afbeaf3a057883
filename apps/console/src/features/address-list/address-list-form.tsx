import { addressListInput, addressListSources, type AddressList } from '@breakwater/contract';
import { Alert, Typography } from '@mui/material';
import { useWatch } from 'react-hook-form';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { useEntityForm } from '../../kit/form/entity-form.tsx';
import { DurationInput, SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { CodeInput } from '../../kit/fields/code-input.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { useFilledFrom } from '../../kit/form/form.tsx';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { notify } from '../../kit/toast.ts';
import { AddedEntries } from './added-entries.tsx';
import { addressListText } from './address-list.text.ts';

/** A list with its entries, of which there may be many: the list of lists has none. */
interface Whole extends AddressList {
  content: string;
  sites: { id: number; domain: string }[];
}

/** Addresses that rules name: entered, fetched from a URL, or put there by rules. `id` null: a new one. */
export function AddressListForm({ id, onClose }: { id: number | null; onClose: () => void }) {
  if (id === null) return <ListForm list={null} onClose={onClose} />;
  return <ExistingList id={id} onClose={onClose} />;
}

function ExistingList({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useFormRead('getAddressList', { params: { id } });
  return (
    <Loaded read={read}>{(list) => <ListForm list={list} refetch={read.refetch} onClose={onClose} />}</Loaded>
  );
}

interface ListFormProps {
  list: Whole | null;
  refetch?: ReturnType<typeof useFormRead<'getAddressList'>>['refetch'];
  onClose: () => void;
}

function ListForm({ list, refetch, onClose }: ListFormProps) {
  const t = useText(addressListText);
  const create = useChange('createAddressList');
  const update = useChange('updateAddressList');
  const offer = useUndo();
  const { form, submit, notice } = useEntityForm(addressListInput, {
    entity: list,
    // Its entries are no part of the list that it was opened from: it is read with them anyway.
    isFresh: true,
    inputOf,
    // Two people's changes of the entries are merged line by line.
    lines: ['content'],
    create: (body) => create.mutateAsync({ body }),
    update: (params, body) => update.mutateAsync({ params, body }),
    refetch: refetch!,
    onSaved: (undo) => {
      notify.success(t.saved, undo && offer(undo));
      onClose();
    },
  });
  const { control } = form;
  useFilledFrom(form, 'description', 'name');
  const source = useWatch({ control, name: 'source' });
  return (
    <FormDrawer title={list ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <SelectInput
        control={control}
        name="source"
        label={t.source}
        hint={t.sourceHint}
        options={addressListSources.map((value) => ({ value, label: t.sources[value] }))}
      />
      {source === 'url' ? (
        <>
          <TextInput
            control={control}
            name="url"
            label={t.url}
            hint={t.urlHint}
            placeholder="https://example.com/list.txt"
          />
          <DurationInput control={control} name="interval_seconds" label={t.interval} hint={t.intervalHint} />
          {list && list.last_error !== '' && <Alert severity="warning">{t.failed(list.last_error)}</Alert>}
        </>
      ) : (
        source === 'inline' && (
          <CodeInput control={control} name="content" label={t.content} hint={t.contentHint} rows={14} />
        )
      )}
      {source === 'rules' && list?.source === 'rules' && <AddedEntries list={list} />}
      <TextInput control={control} name="description" label={t.description} rows={2} />
      {list && <UsedBy list={list} />}
    </FormDrawer>
  );
}

const inputOf = (list: Whole | null) => ({
  name: list?.name ?? '',
  description: list?.description ?? '',
  source: list?.source ?? ('inline' as const),
  // What was fetched, or added by rules, would be sent back as if it had been entered.
  content: list?.source === 'inline' ? list.content : '',
  url: list?.url ?? '',
  interval_seconds: list?.interval_seconds ?? 86_400,
});

/** Which sites and levels a change of the list concerns; the first of many sites by name. */
function UsedBy({ list }: { list: Whole }) {
  const t = useText(addressListText);
  return (
    <div>
      <Typography variant="subtitle2" component="h3" sx={{ mb: 0.5 }}>
        {t.usedBy}
      </Typography>
      <Typography variant="body2" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {list.sites.length === 0 && list.level_count === 0 && t.unused}
        {list.sites.map(({ id, domain }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <TextLink target={to.siteDetail({ id })}>{domain}</TextLink>
          </span>
        ))}
        {list.sites.length < list.site_count && list.sites.length > 0 && ` ${t.more(list.site_count)}`}
        {list.level_count > 0 && <div>{t.levels(list.level_count)}</div>}
      </Typography>
    </div>
  );
}
