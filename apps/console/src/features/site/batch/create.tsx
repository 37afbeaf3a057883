import { id, siteBatchLinePart, siteBatchLineText } from '@breakwater/contract';
import { Alert, Box, Stack } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { useChange } from '../../../api/change.ts';
import { orderChoices } from '../../../api/options.ts';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { TextInput } from '../../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../../kit/fields/remote-select.tsx';
import { FormFrame } from '../../../kit/form/form-page.tsx';
import { submitForm, useFieldMessage, useSchemaForm } from '../../../kit/form/form.tsx';
import { issueKey } from '../../../kit/form/issue-key.ts';
import { to } from '../../../kit/links.ts';
import { Section } from '../../../kit/page.tsx';
import { siteBatchText } from './batch.text.ts';

/** The text as it is pasted; it becomes lines of the call when it is sent. Blank ones before the first count in their numbers. */
const pasted = z.strictObject({
  text: z
    .string()
    .overwrite((text) => text.trimEnd())
    .min(1),
  order_id: id.optional(),
});

/** Many new sites from a list that is pasted, one in each line; the format is in docs/many-sites.md. */
export function SiteBatchCreate() {
  const t = useText(siteBatchText);
  const denial = useDenial();
  const navigate = useNavigate();
  const create = useChange('createSiteBatch');
  const form = useSchemaForm(pasted, { text: '', order_id: undefined });
  const submit = submitForm(form, async ({ text, order_id }) => {
    const made = await create.mutateAsync({ body: { lines: text.split(/\r?\n/), order_id } });
    await navigate({ ...to.siteBatchDetail({ id: made.id }), ignoreBlocker: true });
  });
  return (
    <Box sx={{ maxWidth: 860 }}>
      <FormFrame
        form={form}
        onSubmit={submit}
        submitLabel={t.create}
        disabledReason={denial('createSiteBatch')}
      >
        <Section>
          <Stack sx={{ gap: 3 }}>
            <TextInput
              control={form.control}
              name="text"
              label={t.lines}
              hint={t.linesHint}
              placeholder={
                'www.example.com,example.com|203.0.113.10\nshop.example.com|203.0.113.11:8080|http'
              }
              rows={10}
              monospaced
            />
            <LineCheck text={useWatch({ control: form.control, name: 'text' })} />
            <Box sx={{ maxWidth: 480 }}>
              <RemoteSelect
                control={form.control}
                name="order_id"
                label={t.order}
                choices={orderChoices}
                placeholder={t.orderDefault}
              />
            </Box>
          </Stack>
        </Section>
      </FormFrame>
    </Box>
  );
}

/** Of thousands of lines with the same mistake a few are enough to see it. */
const shownMax = 5;

/** Says of what is pasted which lines are wrong, by the rules of the server. */
function LineCheck({ text }: { text: string }) {
  const t = useText(siteBatchText);
  const messageOf = useFieldMessage();
  // Up to 5,000 lines are checked anew with each key: typing goes first.
  const settled = useDeferredValue(text);
  const { good, bad } = useMemo(() => checkLines(settled), [settled]);
  if (good + bad.length === 0) return null;
  return (
    <Stack sx={{ gap: 1 }} role="status">
      {good > 0 && <Alert severity="success">{t.ready(good)}</Alert>}
      {bad.length > 0 && (
        <Alert severity="warning">
          {t.bad(bad.length)}
          <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5, overflowWrap: 'anywhere' }}>
            {bad.slice(0, shownMax).map(({ line, part, message }) => (
              <li key={line}>{t.badLine(line, part, messageOf(message) ?? '')}</li>
            ))}
            {bad.length > shownMax && <li>{t.moreBad(bad.length - shownMax)}</li>}
          </Box>
        </Alert>
      )}
    </Stack>
  );
}

function checkLines(text: string) {
  const bad: { line: number; part: string; message: string }[] = [];
  let good = 0;
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '') return;
    const { error } = z.safeParse(siteBatchLineText, line.trim(), { error: issueKey });
    if (!error) good++;
    else {
      const [issue] = error.issues;
      // The part of the line where the first problem is, as it was typed.
      const part = siteBatchLinePart(line, (issue?.path ?? []).join('.'));
      bad.push({ line: index + 1, part, message: issue?.message ?? '' });
    }
  });
  return { good, bad };
}
