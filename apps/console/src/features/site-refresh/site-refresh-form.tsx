import {
  id,
  refreshFoldersMax,
  refreshSitesMax,
  refreshTagsMax,
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
  /** URLs, folders or tags. */
  lines: z.string(),
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
  const form = useSchemaForm(typed, { type: 'clean_url', lines: '', site_ids: [] });
  const { control } = form;
  const type = useWatch({ control, name: 'type' });
  const complain = (bad: readonly BadLine[]) => {
    const lines = bad.slice(0, shownMax).map(({ line, message }) => t.line(line, messageOf(message) ?? ''));
    const rest = bad.length > shownMax ? `; ${t.more(bad.length - shownMax)}` : '';
    const told = t.refusedLines(lines.join(language === 'zh' ? '；' : '; ')) + rest;
    form.setError('lines', { message: told }, { shouldFocus: true });
  };
  const submit = submitForm(form, async (values) => {
    const { lines, wanted } = wantedOf(values);
    const { data, error } = z.safeParse(body, wanted, { error: issueKey });
    if (error) {
      const bad = badLines(lines, error.issues);
      if (bad.length > 0) return complain(bad);
      const [{ path, message } = { path: [], message: '' }] = error.issues;
      return form.setError(path[0] === 'site_ids' ? 'site_ids' : 'lines', { message }, { shouldFocus: true });
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
  const hasSites = type === 'clean_site' || type === 'clean_tag';
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.add}>
      <SelectInput
        control={control}
        name="type"
        label={t.type}
        options={siteRefreshTypes.map((value) => ({ value, label: t.types[value] }))}
      />
      {hasSites && (
        <RemoteMultiSelect
          control={control}
          name="site_ids"
          label={t.sites}
          hint={type === 'clean_site' ? t.sitesHint : undefined}
          choices={siteChoices}
        />
      )}
      {type !== 'clean_site' && (
        <TextInput
          control={control}
          name="lines"
          label={t.lines[type]}
          hint={t.linesHints[type](formatCount(linesMax[type]))}
          placeholder={examples[type]}
          rows={12}
          monospaced
          autoFocus
        />
      )}
    </FormDrawer>
  );
}

const linesMax = { clean_url: refreshUrlsMax, clean_dir: refreshFoldersMax, clean_tag: refreshTagsMax };
const examples = {
  clean_url: 'https://www.example.com/logo.png',
  clean_dir: 'https://www.example.com/images/',
  clean_tag: 'product-42',
};
const shownMax = 5;

/** What the server is asked for, and which line of the text each stands in. */
function wantedOf({ type, lines: text, site_ids }: Typed) {
  if (type === 'clean_site') return { lines: [], wanted: { type, site_ids } };
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter((line) => line.text !== '');
  const texts = lines.map((line) => line.text);
  return { lines, wanted: type === 'clean_tag' ? { type, site_ids, tags: texts } : { type, urls: texts } };
}

/** One for each line that something is said of. */
function badLines(
  lines: readonly { line: number }[],
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): BadLine[] {
  const bad = new Map<number, BadLine>();
  for (const { path, message } of issues) {
    const line =
      (path[0] === 'urls' || path[0] === 'tags') && path.length > 1
        ? lines[Number(path[1])]?.line
        : undefined;
    if (line !== undefined && !bad.has(line)) bad.set(line, { line, message });
  }
  return [...bad.values()];
}
