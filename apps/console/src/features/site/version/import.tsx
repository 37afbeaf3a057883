import { siteSectionNames, type SiteFile } from '@breakwater/contract';
import { Alert, Box, Button, Stack, Typography } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import * as z from 'zod';
import { useChange } from '../../../api/change.ts';
import { ApiError, type Data } from '../../../api/client.ts';
import { useText } from '../../../i18n/text.ts';
import { SiteChanges } from '../change/changes.tsx';
import { MultiSelectInput, TagsInput } from '../../../kit/fields/inputs.tsx';
import { CodeInput } from '../../../kit/fields/code-input.tsx';
import { FormDrawer } from '../../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../../kit/form/form.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { to } from '../../../kit/links.ts';
import { notify } from '../../../kit/toast.ts';
import { useSite } from '../context.tsx';
import { siteVersionsText } from './versions.text.ts';
import { siteText } from '../site.text.ts';

/** What of a file can be taken over: its domains and its sections. */
const partNames = ['domains', ...siteSectionNames] as const;
const importForm = z.strictObject({
  text: z.string().trim().min(1),
  domains: z.array(z.string()),
  parts: z.array(z.enum(partNames)),
});
type ImportControl = Control<z.infer<typeof importForm>, unknown, z.infer<typeof importForm>>;
/** Domains are left out at first: those of the file are most likely in use by the site that it came from. */
const nothing: z.infer<typeof importForm> = { text: '', domains: [], parts: [...siteSectionNames] };

/** Makes a site from a file. */
export function SiteImportNew({ onClose }: { onClose: () => void }) {
  const t = useText(siteVersionsText);
  const navigate = useNavigate();
  const add = useChange('importNewSite');
  const form = useSchemaForm(importForm, nothing);
  const [wrong, setWrong] = useState<string[]>([]);
  const submit = submitForm(form, async ({ text, domains }) => {
    const file = parsed(text);
    if (file instanceof Error) return setWrong([t.badJson(file.message)]);
    const made = await told(setWrong, () =>
      // Domains that were entered stand in for those of the file.
      add.mutateAsync({ body: { file: domains.length > 0 ? { ...file, domains } : file } }),
    );
    if (!made) return;
    notify.success(t.added);
    form.reset();
    await navigate({ ...to.siteDetail({ id: made.id }), ignoreBlocker: true });
  });
  return (
    <FormDrawer title={t.importNewTitle} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.add}>
      <Alert severity="info">{t.importNewHint}</Alert>
      <FileText
        control={form.control}
        onText={(text) => form.setValue('text', text, { shouldDirty: true })}
      />
      <TagsInput control={form.control} name="domains" label={t.domains} hint={t.domainsHint} />
      <Wrong lines={wrong} />
    </FormDrawer>
  );
}

/** Replaces parts of the site by those of a file, after showing what would change. */
export function SiteImport({ onClose }: { onClose: () => void }) {
  const t = useText(siteVersionsText);
  const { sections } = useText(siteText).revisions;
  const { site, onSent, undoOf } = useSite();
  const preview = useChange('previewSiteImport');
  const apply = useChange('importSite');
  const form = useSchemaForm(importForm, nothing);
  const [wrong, setWrong] = useState<string[]>([]);
  const [shown, setShown] = useState<{
    key: string;
    version: number;
    diff: Data<'previewSiteImport'>['diff'];
  } | null>(null);
  const [text, parts] = useWatch({ control: form.control, name: ['text', 'parts'] });
  // A preview is of one text and one choice; once either is changed it says nothing of what would be saved.
  const key = JSON.stringify([text, parts]);
  // The button previews first; it saves once it is known what that would change.
  const ready = shown?.key === key && shown.diff.length > 0 ? shown : undefined;
  const submit = submitForm(form, async (values) => {
    const file = parsed(values.text);
    if (file instanceof Error) return setWrong([t.badJson(file.message)]);
    const params = { id: site.id };
    if (!ready) {
      const seen = await told(setWrong, () =>
        preview.mutateAsync({ params, body: { file, parts: values.parts } }),
      );
      return setShown(seen ? { key, ...seen } : null);
    }
    // Saved over the version that was previewed, or not at all.
    const body = { version: ready.version, file, parts: values.parts };
    const saved = await told(setWrong, () => apply.mutateAsync({ params, body }));
    if (!saved) return;
    onSent(saved.version > ready.version ? undoOf(saved.version) : undefined);
    onClose();
  });
  return (
    <FormDrawer
      title={t.importTitle}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={ready ? t.apply : t.preview}
    >
      <FileText
        control={form.control}
        onText={(file) => form.setValue('text', file, { shouldDirty: true })}
      />
      <MultiSelectInput
        control={form.control}
        name="parts"
        label={t.parts}
        hint={t.partsHint}
        options={partNames.map((value) => ({ value, label: sections[value] }))}
      />
      <Wrong lines={wrong} />
      {shown?.key === key && (
        <Preview title={t.previewTitle}>
          {shown.diff.length > 0 ? <SiteChanges entries={shown.diff} /> : t.nothing}
        </Preview>
      )}
    </FormDrawer>
  );
}

function Preview({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack sx={{ gap: 1 }} role="status">
      <Typography variant="subtitle2">{title}</Typography>
      {children}
    </Stack>
  );
}

/** The file, chosen or pasted: its text is a field of the form either way, to be read and corrected. */
function FileText({ control, onText }: { control: ImportControl; onText: (text: string) => void }) {
  const t = useText(siteVersionsText);
  const [fileName, setFileName] = useState('');
  const read = async (file: File) => {
    onText(await file.text());
    setFileName(file.name);
  };
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Stack direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap', gap: 1.5 }}>
        <Button component="label" color="inherit" variant="outlined" startIcon={<Icon name="download" />}>
          {t.choose}
          <Box
            component="input"
            type="file"
            accept="application/json,.json"
            sx={{ position: 'absolute', opacity: 0, width: 1, height: 1 }}
            onChange={(event: React.ChangeEvent<HTMLInputElement>) => {
              const file = event.target.files?.[0];
              // The same file, mended, may be chosen again.
              event.target.value = '';
              if (file) void read(file);
            }}
          />
        </Button>
        <Typography role="status" variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {fileName}
        </Typography>
      </Stack>
      <CodeInput control={control} name="text" label={t.file} hint={t.pasteHint} language="json" rows={10} />
    </Stack>
  );
}

function Wrong({ lines }: { lines: readonly string[] }) {
  const t = useText(siteVersionsText);
  if (lines.length === 0) return null;
  return (
    <Alert severity="error" sx={{ overflowWrap: 'anywhere' }}>
      {t.wrong}
      <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </Box>
    </Alert>
  );
}

/** Runs a call; errors with paths are told as lines, since a file has no fields to mark. */
async function told<Result>(
  tell: (lines: string[]) => void,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  tell([]);
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields.length === 0) throw error;
    tell(error.fields.map(({ path, message }) => `${path.replace(/^file\./, '')}: ${message}`));
    return undefined;
  }
}

function parsed(text: string): SiteFile | Error {
  try {
    return JSON.parse(text) as SiteFile;
  } catch (error) {
    return error as Error;
  }
}
