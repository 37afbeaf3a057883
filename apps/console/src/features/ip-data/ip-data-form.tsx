import { ipDataUse, type CheckedIpFile, type IpDataPartInUse } from '@breakwater/contract';
import { Alert, Box, Button, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';
import { useChange } from '../../api/change.ts';
import type { ApiError } from '../../api/client.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { ChoiceButtons } from '../../kit/choice-buttons.tsx';
import { DurationInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { Icon } from '../../kit/icon.tsx';
import { notify } from '../../kit/toast.ts';
import { ipDataText } from './ip-data.text.ts';
import { PartNews, usePartAsSeen } from './part-as-seen.tsx';
import { IpFileReportView } from './ip-file-report.tsx';

type UseForm = UseFormReturn<z.input<typeof ipDataUse>, unknown, z.output<typeof ipDataUse>>;

/** A file is read first; what it says is shown; then it can be put in service. */
export function IpDataForm({ inUse, onClose }: { inUse: IpDataPartInUse; onClose: () => void }) {
  const t = useText(ipDataText);
  const use = useChange('useIpFile');
  const { seen, asSeen, isNews } = usePartAsSeen(inUse);
  const { part } = seen;
  const [source, setSource] = useState<'file' | 'url'>('file');
  const [read, setRead] = useState<CheckedIpFile | null>(null);
  /** Files are fetched anew once a week, unless it is chosen otherwise. */
  const form: UseForm = useSchemaForm(ipDataUse, {
    file_id: 0,
    attribution: '',
    url: '',
    interval_seconds: 604_800,
  });
  // The server keeps a file that was read for a while, under this id.
  const note = (file: CheckedIpFile | null) => {
    setRead(file);
    form.setValue('file_id', file?.file_id ?? 0, { shouldDirty: true });
  };
  const url = useWatch({ control: form.control, name: 'url' }) ?? '';
  // What was read may have been at another address.
  const checked = source === 'url' && read?.name !== url.trim().slice(0, 200) ? null : read;
  // A file of countries has nothing to say of networks: it must know the part that it is to stand for.
  const fits = checked?.report.parts.includes(part) === true;
  const submit = submitForm(form, (body) =>
    asSeen(async ({ file_id: replaces }) => {
      await use.mutateAsync({ params: { part }, body: { ...body, replaces } });
      notify.success(t.used);
      onClose();
    }),
  );
  return (
    <FormDrawer
      title={t.replaceTitle(t.parts[part])}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.useIt}
      disabledReason={fits ? undefined : t.checkFirst}
    >
      {isNews && <PartNews inUse={seen} />}
      <ChoiceButtons
        label={t.from}
        value={source}
        values={['file', 'url']}
        names={{ file: t.fromFile, url: t.fromUrl }}
        onChange={(value) => {
          setSource(value);
          form.setValue('url', '');
          note(null);
        }}
      />
      {source === 'file' ? <Upload onChecked={note} /> : <FromUrl form={form} onChecked={note} />}
      {checked && <IpFileReportView file={checked} />}
      {checked && !fits && <Alert severity="warning">{t.notInIt(t.parts[part])}</Alert>}
      {fits && (
        <>
          <TextInput
            control={form.control}
            name="attribution"
            label={t.attribution}
            hint={t.attributionHint}
            rows={2}
          />
          {source === 'url' && (
            <DurationInput
              control={form.control}
              name="interval_seconds"
              label={t.interval}
              hint={t.intervalHint}
            />
          )}
        </>
      )}
    </FormDrawer>
  );
}

type OnChecked = (file: CheckedIpFile | null) => void;

function Upload({ onChecked }: { onChecked: OnChecked }) {
  const t = useText(ipDataText);
  const upload = useChange('uploadIpFile');
  const send = (file: File) => {
    // What another file said is not to be put in service for this one.
    onChecked(null);
    upload.mutate({ body: { file } }, { onSuccess: onChecked });
  };
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Button
        component="label"
        color="inherit"
        variant="outlined"
        loading={upload.isPending}
        sx={{ alignSelf: 'flex-start' }}
        startIcon={<Icon name="add" />}
      >
        {t.choose}
        <Box
          component="input"
          type="file"
          accept=".mmdb,.gz,.tgz"
          sx={{ position: 'absolute', opacity: 0, width: 1, height: 1 }}
          onChange={(event: React.ChangeEvent<HTMLInputElement>) => {
            const file = event.target.files?.[0];
            // The same file, mended, may be chosen again.
            event.target.value = '';
            if (file) send(file);
          }}
        />
      </Button>
      <Typography variant="body2" sx={{ color: 'text.secondary' }} role="status">
        {upload.isPending ? t.checking : t.chooseHint}
      </Typography>
      {upload.error && <Alert severity="error">{reasonOf(upload.error)}</Alert>}
    </Stack>
  );
}

interface FromUrlProps {
  form: UseForm;
  onChecked: OnChecked;
}

function FromUrl({ form, onChecked }: FromUrlProps) {
  const t = useText(ipDataText);
  const fetching = useChange('fetchIpFile');
  const url = useWatch({ control: form.control, name: 'url' }) ?? '';
  return (
    <Stack sx={{ gap: 1.5 }}>
      <TextInput
        control={form.control}
        name="url"
        label={t.url}
        hint={t.urlHint}
        placeholder="https://example.com/country.mmdb"
      />
      <Box sx={{ alignSelf: 'flex-start' }}>
        <ActionButton
          icon="download"
          color="inherit"
          variant="outlined"
          loading={fetching.isPending}
          disabledReason={url.trim() === '' ? t.urlFirst : undefined}
          onClick={() => {
            onChecked(null);
            fetching.mutate({ body: { url } }, { onSuccess: onChecked });
          }}
        >
          {t.check}
        </ActionButton>
      </Box>
      {fetching.isPending && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }} role="status">
          {t.checking}
        </Typography>
      )}
      {fetching.error && <Alert severity="error">{reasonOf(fetching.error)}</Alert>}
    </Stack>
  );
}

/** What is wrong with the file says more than that something is. */
const reasonOf = (error: ApiError): string => error.fields[0]?.message ?? error.message;
