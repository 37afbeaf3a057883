import {
  id,
  refreshFoldersMax,
  refreshSitesMax,
  refreshUrlsMax,
  siteRefreshRoutes,
  siteRefreshTypes,
} from '@breakwater/contract';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { useChange } from '../../api/change.ts';
import { siteChoices } from '../../api/options.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useFieldMessage, useSchemaForm } from '../../kit/form/form.tsx';
import { issueKey } from '../../kit/form/issue-key.ts';
import { isRefusal } from '../../kit/form/refusal.ts';
import { formatCount } from '../../kit/format.ts';
import { notify } from '../../kit/toast.ts';
import { siteRefreshText } from './site-refresh.text.ts';

const typed = z.strictObject({
  type: z.enum(siteRefreshTypes),
  urls: z.string(),
  site_ids: z.array(id).max(refreshSitesMax),
});
type Typed = z.output<typeof typed>;

const { body } = siteRefreshRoutes.createSiteRefresh;

interface BadLine {
  /** From 1, as the text counts them. */
  line: number;
  message: string;
}

export function SiteRefreshForm({ onClose }: { onClose: () => void }) {
  const t = useText(siteRefreshText);
  const language = useLanguage();
  const messageOf = useFieldMessage();
  const create = useChange('createSiteRefresh');
  const form = useSchemaForm(typed, { type: 'clean_url', urls: '', site_ids: [] });
  const { control } = form;
  const type = useWatch({ control, name: 'type' });
  const complain = (bad: readonly BadLine[]) => {
    const lines = bad.slice(0, shownMax).map(({ line, message }) => t.line(line, messageOf(message) ?? ''));
    const rest = bad.length > shownMax ? `; ${t.more(bad.length - shownMax)}` : '';
    const told = t.refusedLines(lines.join(language === 'zh' ? '；' : '; ')) + rest;
    form.setError('urls', { message: told }, { shouldFocus: true });
  };
  const submit = submitForm(form, async (values) => {
    const { lines, wanted } = wantedOf(values);
    const { data, error } = z.safeParse(body, wanted, { error: issueKey });
    if (error) {
      const field = values.type === 'clean_site' ? 'site_ids' : 'urls';
      const bad = badLines(lines, error.issues);
      if (bad.length > 0) return complain(bad);
      return form.setError(field, { message: error.issues[0]?.message ?? '' }, { shouldFocus: true });
    }
    try {
      await create.mutateAsync({ body: data });
    } catch (refusal) {
      const fields = isRefusal(refusal) ? refusal.fields : [];
      const bad = badLines(
        lines,
        fields.map(({ path, message }) => ({ path: path.split('.'), message })),
      );
      if (bad.length === 0) throw refusal;
      return complain(bad);
    }
    notify.success(t.saved);
    onClose();
  });
  const isFolder = type === 'clean_dir';
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.add}>
      <SelectInput
        control={control}
        name="type"
        label={t.type}
        options={siteRefreshTypes.map((value) => ({ value, label: t.types[value] }))}
      />
      {type === 'clean_site' ? (
        <RemoteMultiSelect
          control={control}
          name="site_ids"
          label={t.sites}
          hint={t.sitesHint}
          choices={siteChoices}
        />
      ) : (
        <TextInput
          control={control}
          name="urls"
          label={isFolder ? t.folders : t.urls}
          hint={
            isFolder ? t.foldersHint(formatCount(refreshFoldersMax)) : t.urlsHint(formatCount(refreshUrlsMax))
          }
          placeholder={isFolder ? 'https://www.example.com/images/' : 'https://www.example.com/logo.png'}
          rows={12}
          monospaced
          autoFocus
        />
      )}
    </FormDrawer>
  );
}

const shownMax = 5;

/** What the server is asked for, and which line of the text each URL stands in. */
function wantedOf({ type, urls, site_ids }: Typed) {
  if (type === 'clean_site') return { lines: [], wanted: { type, site_ids } };
  const lines = urls
    .split(/\r?\n/)
    .map((text, index) => ({ text: text.trim(), line: index + 1 }))
    .filter(({ text }) => text !== '');
  return { lines, wanted: { type, urls: lines.map(({ text }) => text) } };
}

/** One for each line that something is said of. */
function badLines(
  lines: readonly { line: number }[],
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): BadLine[] {
  const bad = new Map<number, BadLine>();
  for (const { path, message } of issues) {
    const line = path[0] === 'urls' && path.length > 1 ? lines[Number(path[1])]?.line : undefined;
    if (line !== undefined && !bad.has(line)) bad.set(line, { line, message });
  }
  return [...bad.values()];
}
