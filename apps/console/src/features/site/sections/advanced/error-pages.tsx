import {
  errorPage,
  errorPageSource,
  errorPageStatuses,
  errorPageType,
  errorRedirectStatuses,
  type ErrorPage,
} from '@breakwater/contract';
import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormHelperText,
  Paper,
  Stack,
  Typography,
} from '@mui/material';
import { useId, useState } from 'react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { useLanguage } from '../../../../i18n/language.ts';
import { useText } from '../../../../i18n/text.ts';
import { formatList } from '../../../../kit/format.ts';
import { fieldsText } from '../../../../kit/fields/fields.text.ts';
import { ActionButton, ActionIcon } from '../../../../kit/action-button.tsx';
import { EmptyState } from '../../../../kit/empty-state.tsx';
import { FieldSourceNote } from '../../../../kit/fields/field-source.tsx';
import { useListMessage } from '../../../../kit/fields/list-message.ts';
import { SelectInput, SwitchInput, TagsInput, TextInput } from '../../../../kit/fields/inputs.tsx';
import { ConditionInput } from '../../../../domain/condition/condition-input.tsx';
import { CodeInput } from '../../../../kit/fields/code-input.tsx';
import { Section } from '../../../../kit/page.tsx';
import type { AdvancedControl } from './advanced.tsx';
import { siteAdvancedText } from './advanced.text.ts';
import { useSiteIfAny } from '../../context.tsx';

/** The contract's defaults, of a page that it takes, and a small page to begin with. */
const newPage: ErrorPage = {
  ...errorPage.parse({ statuses: ['404'], body: '-' }),
  body: '<!doctype html>\n<meta charset="utf-8">\n<title>{{status}}</title>\n<h1>{{status}}</h1>\n',
};
/** As the contract has it. */
const pagesMax = 20;

/** Pages in place of errors, of the origin's or of the node's own. In order: the first that fits is taken. */
export function ErrorPages({ control }: { control: AdvancedControl }) {
  const t = useText(siteAdvancedText);
  const { full } = useText(fieldsText);
  const { fields, append, remove, move } = useFieldArray({ control, name: 'error_pages' });
  const pages = useWatch({ control, name: 'error_pages' });
  const message = useListMessage(control, 'error_pages', t.errorPages);
  const language = useLanguage();
  const list = useId();
  const titleId = ({ id }: { id: string }) => `${list}${id}`;
  const add = (
    <ActionButton
      color="inherit"
      variant="outlined"
      icon="add"
      disabledReason={fields.length >= pagesMax ? full(pagesMax) : undefined}
      onClick={() => append(newPage)}
    >
      {t.addPage}
    </ActionButton>
  );
  return (
    <Section title={t.errorPages} hint={t.errorPagesHint} actions={fields.length > 0 && add}>
      <FieldSourceNote name="error_pages" />
      {message && <FormHelperText error>{message}</FormHelperText>}
      {fields.length === 0 && <EmptyState icon="fault" title={t.noPages} hint={t.noPagesHint} action={add} />}
      <Stack sx={{ gap: 2 }}>
        {fields.map((field, index) => (
          <Paper
            key={field.id}
            variant="outlined"
            component="fieldset"
            // A group with a name (fieldset), so that a screen reader says of which page each field is.
            aria-labelledby={titleId(field)}
            sx={{ p: 2, m: 0, minWidth: 0 }}
          >
            <Stack direction="row" sx={{ alignItems: 'center', gap: 0.5, mb: 1.5, flexWrap: 'wrap' }}>
              <Typography id={titleId(field)} variant="subtitle2" sx={{ flex: 1 }}>
                {t.page(formatList(pages?.[index]?.statuses ?? [], language))}
              </Typography>
              <SwitchInput control={control} name={`error_pages.${index}.enabled`} label={t.enabled} />
              <ActionIcon
                icon="move-up"
                label={t.up}
                of={titleId(field)}
                onClick={() => move(index, index - 1)}
                disabled={index === 0}
              />
              <ActionIcon
                icon="move-down"
                label={t.down}
                of={titleId(field)}
                onClick={() => move(index, index + 1)}
                disabled={index === fields.length - 1}
              />
              <ActionIcon
                icon="delete"
                label={t.removePage}
                of={titleId(field)}
                onClick={() => remove(index)}
              />
            </Stack>
            <PageFields control={control} index={index} />
          </Paper>
        ))}
      </Stack>
    </Section>
  );
}

const grid = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
};

function PageFields({ control, index }: { control: AdvancedControl; index: number }) {
  const t = useText(siteAdvancedText);
  const source = useWatch({ control, name: `error_pages.${index}.source` });
  const isRedirect = source === 'redirect';
  const name = `error_pages.${index}` as const;
  // 0 keeps the status; of a redirect that cannot be, so there it is the usual one.
  const newStatuses = [
    { value: 0, label: isRedirect ? t.redirectDefault : t.keepStatus },
    ...(isRedirect ? errorRedirectStatuses : errorPageStatuses).map((value) => ({
      value,
      label: `${value}`,
    })),
  ];
  const sources = errorPageSource.options.map((value) => ({ value, label: t.sources[value] }));
  const types = errorPageType.options.map((value) => ({ value, label: t.contentTypes[value] }));
  return (
    <Stack sx={{ gap: 2 }}>
      <Box sx={grid}>
        <TagsInput control={control} name={`${name}.statuses`} label={t.statuses} hint={t.statusesHint} />
        <SelectInput control={control} name={`${name}.source`} label={t.source} options={sources} />
        {!isRedirect && (
          <SelectInput
            control={control}
            name={`${name}.content_type`}
            label={t.contentType}
            options={types}
          />
        )}
        <SelectInput
          control={control}
          name={`${name}.new_status`}
          label={t.newStatus}
          options={newStatuses}
        />
      </Box>
      {isRedirect ? (
        <TextInput
          control={control}
          name={`${name}.redirect_url`}
          label={t.redirectUrl}
          hint={t.redirectUrlHint}
          placeholder="https://status.example.com/"
        />
      ) : (
        <>
          <CodeInput control={control} name={`${name}.body`} label={t.body} hint={t.bodyHint} rows={6} />
          <Preview control={control} index={index} />
        </>
      )}
      <Box sx={grid}>
        <TagsInput
          control={control}
          name={`${name}.only_paths`}
          label={t.onlyPaths}
          hint={t.onlyPathsHint}
          placeholder="/shop/"
        />
        <TagsInput
          control={control}
          name={`${name}.except_paths`}
          label={t.exceptPaths}
          hint={t.exceptPathsHint}
          placeholder="/api/"
        />
      </Box>
      <ConditionInput control={control} name={`${name}.condition`} hint={t.conditionHint} />
    </Stack>
  );
}

/** The page with example values, in a frame that may do nothing. */
function Preview({ control, index }: { control: AdvancedControl; index: number }) {
  const t = useText(siteAdvancedText);
  const site = useSiteIfAny()?.site;
  const [open, setOpen] = useState(false);
  const page = useWatch({ control, name: `error_pages.${index}` });
  const isHtml = (page?.content_type ?? 'text/html') === 'text/html';
  // Of a class of statuses, its first.
  const status = page?.statuses?.[0]?.replace('xx', '00') ?? '404';
  const filled = Object.entries({
    status,
    host: site?.domains[0]?.replace('*.', 'www.') ?? 'example.com',
    request_id: '0123456789abcdef0123456789abcdef',
    client_ip: '192.0.2.1',
  }).reduce((text, [name, value]) => text.replaceAll(`{{${name}}}`, value), page?.body ?? '');
  return (
    <>
      <Button
        color="inherit"
        variant="outlined"
        size="small"
        sx={{ alignSelf: 'flex-start' }}
        onClick={() => setOpen(true)}
      >
        {t.preview}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} fullWidth maxWidth="md">
        <DialogTitle>{t.previewTitle}</DialogTitle>
        <DialogContent>
          {isHtml ? (
            <Box
              component="iframe"
              title={t.previewFrame}
              // No scripts, no forms, no navigation, and no access to the console: somebody else may have written the page.
              sandbox=""
              srcDoc={filled}
              sx={{ width: 1, height: 360, border: 1, borderColor: 'divider', bgcolor: '#fff' }}
            />
          ) : (
            <Box component="pre" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', m: 0 }}>
              {filled}
            </Box>
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{t.close}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
