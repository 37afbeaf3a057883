import { certificateFilesMax, certificateGroupName, id } from '@breakwater/contract';
import { Alert, Box, Chip, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { useAccount } from '../../../api/account.ts';
import { useChange } from '../../../api/change.ts';
import type { Arguments, Data } from '../../../api/client.ts';
import { clientChoices } from '../../../api/options.ts';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { TextInput } from '../../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../../kit/fields/remote-select.tsx';
import { FormFrame } from '../../../kit/form/form-page.tsx';
import { submitForm, useSchemaForm } from '../../../kit/form/form.tsx';
import { useTells } from '../../../kit/form/shown.ts';
import { to } from '../../../kit/links.ts';
import { Page, Section } from '../../../kit/page.tsx';
import { ChooseFiles } from '../choose-files.tsx';
import { GroupInput } from '../group-input.tsx';
import { fileBytesMax, readPairFile } from '../pair-file.ts';
import { certificateText } from '../certificate.text.ts';
import { UploadPreview } from './preview.tsx';
import { uploadText } from './upload.text.ts';

type ChosenFile = Arguments<'previewCertificates'>['body']['files'][number];

/** `files` hold what was read of each file in the browser, by kind. */
const given = z.strictObject({
  client_id: id.optional(),
  pfx_password: z.string().max(500),
  group_name: certificateGroupName,
  files: z.array(z.custom<ChosenFile>()).min(1, { error: 'required' }),
});

export interface Read {
  /** What was sent, to be sent again as it was. */
  sent: Omit<Arguments<'uploadCertificates'>['body'], 'certificates'>;
  found: Data<'previewCertificates'>;
}

/** Many certificates at once: files are chosen, what they would do is shown, and then it is done. */
export function CertificateUpload() {
  const t = useText(uploadText);
  const words = useText(certificateText);
  const [read, setRead] = useState<Read | null>(null);
  return (
    <Page title={t.title} subtitle={t.subtitle} back={{ target: to.certificates(), label: words.title }}>
      {read ? <UploadPreview read={read} onBack={() => setRead(null)} /> : <FilesForm onRead={setRead} />}
    </Page>
  );
}

function FilesForm({ onRead }: { onRead: (read: Read) => void }) {
  const t = useText(uploadText);
  const words = useText(certificateText);
  const denial = useDenial();
  const { role } = useAccount();
  const preview = useChange('previewCertificates');
  const form = useSchemaForm(given, { client_id: undefined, pfx_password: '', group_name: '', files: [] });
  const { control } = form;
  const [files, clientId] = useWatch({ control, name: ['files', 'client_id'] });
  const setFiles = (next: ChosenFile[]) =>
    form.setValue('files', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  const submit = submitForm(form, async (values) => {
    // The group is of no interest to the preview, which refuses fields that it does not know.
    const { group_name, ...sent } = values;
    const found = await preview.mutateAsync({ body: sent });
    form.reset(values);
    onRead({ sent: { ...sent, group_name }, found });
  });
  useTells(control, 'files', t.files);
  const problem = form.formState.errors.files;
  return (
    <Box sx={{ maxWidth: 860 }}>
      <FormFrame
        form={form}
        onSubmit={submit}
        submitLabel={t.read}
        disabledReason={denial('previewCertificates')}
      >
        <Section title={t.files} hint={t.filesHint}>
          <Stack sx={{ gap: 3 }}>
            <FilePicker files={files} onChange={setFiles} />
            {problem && <Alert severity="error">{t.filesNeeded}</Alert>}
            {files.some(({ pfx }) => pfx !== undefined) && (
              <Box sx={{ maxWidth: 480 }}>
                <TextInput
                  control={control}
                  name="pfx_password"
                  label={words.pfxPassword}
                  hint={t.passwordHint}
                  type="password"
                  autoComplete="new-password"
                />
              </Box>
            )}
            {role === 'admin' && (
              <Box sx={{ maxWidth: 480 }}>
                <RemoteSelect
                  control={control}
                  name="client_id"
                  label={words.client}
                  placeholder={words.platform}
                  hint={t.clientHint}
                  choices={clientChoices}
                />
              </Box>
            )}
            <Box sx={{ maxWidth: 480 }}>
              <GroupInput control={control} clientId={clientId} />
            </Box>
          </Stack>
        </Section>
      </FormFrame>
    </Box>
  );
}

interface FilePickerProps {
  files: readonly ChosenFile[];
  onChange: (files: ChosenFile[]) => void;
}

function FilePicker({ files, onChange }: FilePickerProps) {
  const t = useText(uploadText);
  const words = useText(certificateText);
  const [problem, setProblem] = useState('');
  const add = async (chosen: readonly File[]) => {
    // All or none of a choice: with one file left out, a key might be missing.
    const large = chosen.find((file) => file.size > fileBytesMax);
    if (large) return setProblem(t.tooLarge(large.name));
    if (files.length + chosen.length > certificateFilesMax) return setProblem(t.tooMany(certificateFilesMax));
    setProblem('');
    const read = await Promise.all(chosen.map(readFile));
    onChange([...files, ...read]);
  };
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <ChooseFiles label={t.choose} onChoose={(chosen) => void add(chosen)} />
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {files.length === 0 ? words.fileHint : t.chosen(files.length)}
        </Typography>
      </Stack>
      {problem !== '' && <Alert severity="error">{problem}</Alert>}
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        {files.map(({ name }, index) => (
          <Chip
            key={index}
            size="small"
            label={name}
            sx={{ maxWidth: '100%' }}
            onDelete={() => onChange(files.filter((_, place) => place !== index))}
          />
        ))}
      </Stack>
    </Stack>
  );
}

/** Folders of such files have the same names inside: the path tells them apart where there is one. */
async function readFile(file: File): Promise<ChosenFile> {
  const { field, text } = await readPairFile(file);
  const name = (file.webkitRelativePath || file.name).slice(-200) || '-';
  return field === 'pfx' ? { name, pfx: text } : { name, pem: text };
}
