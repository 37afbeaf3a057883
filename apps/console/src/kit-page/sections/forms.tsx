import { Button, Card, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { DeliveryState } from '../../domain/delivery-state.tsx';
import { DetailPage } from '../../kit/detail-page.tsx';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { FormFrame, FormPage } from '../../kit/form/form-page.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { Stories, Story, StoryGrid } from '../story.tsx';
import { storyText } from './story.text.ts';

const schema = z.object({ name: z.string().trim().min(1).max(100), description: z.string().max(1000) });

export function FormsSection() {
  const t = useText(storyText);
  return (
    <Stories>
      <Story title={t.formPage}>
        <SampleFormPage />
      </Story>
      <Story title={t.hiddenFields}>
        <HidingForm />
      </Story>
      <Story title={t.formDrawer}>
        <SampleDrawer />
      </Story>
      <Story title={t.detailPage}>
        <DetailPage
          label={t.detailPage}
          read={{
            data: { name: 'www.example.com' },
            error: null,
            isFetching: false,
            refetch: () => undefined,
          }}
          title={({ name }) => name}
          subtitle={() => t.formPageSubtitle}
          tabs={() => [
            {
              id: 'overview',
              label: t.overview,
              content: () => <Section title={t.overview}>{t.long}</Section>,
            },
            { id: 'more', label: t.more, content: () => <Section title={t.more}>{t.content}</Section> },
          ]}
        />
      </Story>
      <Story title={t.delivery}>
        <Deliveries />
      </Story>
      <Story title={t.ordinary}>
        <Confirmations />
      </Story>
    </Stories>
  );
}

function SampleFormPage() {
  const t = useText(storyText);
  const form = useSchemaForm(schema, { name: '', description: '' });
  const submit = submitForm(form, async (values) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    // As the server would answer for a name that is taken.
    if (values.name === 'taken')
      throw Object.assign(new Error(t.serverError), {
        code: 40_000,
        fields: [{ path: 'name', message: t.serverError }],
      });
    form.reset(values);
    notify.success(t.saved);
  });
  return (
    <FormPage title={t.formPage} subtitle={t.formPageSubtitle} form={form} onSubmit={submit}>
      <Card sx={{ p: 3 }}>
        <Stack sx={{ gap: 2.5, maxWidth: 520 }}>
          <TextInput control={form.control} name="name" label={t.text} hint={t.textHint} />
          <TextInput control={form.control} name="description" label={t.content} rows={3} />
        </Stack>
      </Card>
    </FormPage>
  );
}

const hiding = z.object({
  kind: z.enum(['word', 'code']),
  word: z.string().regex(/^[a-z]+$/),
  code: z.string().max(4),
  size: z.int().max(10),
});

/** Of its fields one hides another, and one is on no screen. */
function HidingForm() {
  const t = useText(storyText);
  const form = useSchemaForm(hiding, { kind: 'word', word: 'abc', code: '', size: 1 });
  const kind = useWatch({ control: form.control, name: 'kind' });
  const submit = submitForm(form, async (values) => {
    // As the server would answer of what the form does not show.
    if (values.code === 'gone')
      throw Object.assign(new Error(t.serverError), {
        code: 40_000,
        fields: [{ path: 'size', message: t.serverError }],
      });
    form.reset(values);
    notify.success(JSON.stringify(values));
  });
  return (
    <FormFrame form={form} onSubmit={submit}>
      <Card sx={{ p: 3 }}>
        <Stack sx={{ gap: 2.5, maxWidth: 520 }}>
          <SelectInput
            control={form.control}
            name="kind"
            label={t.kind}
            options={[
              { value: 'word', label: t.word },
              { value: 'code', label: t.code },
            ]}
          />
          {kind === 'word' && <TextInput control={form.control} name="word" label={t.word} />}
          {kind === 'code' && <TextInput control={form.control} name="code" label={t.code} />}
          <Button onClick={() => form.setValue('size', 11, { shouldDirty: true })}>{t.spoil}</Button>
        </Stack>
      </Card>
    </FormFrame>
  );
}

function SampleDrawer() {
  const t = useText(storyText);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {t.openDrawer}
      </Button>
      {open && <OpenDrawer onClose={() => setOpen(false)} />}
    </>
  );
}

function OpenDrawer({ onClose }: { onClose: () => void }) {
  const t = useText(storyText);
  const form = useSchemaForm(schema, { name: '', description: '' });
  return (
    <FormDrawer
      title={t.formDrawer}
      form={form}
      onClose={onClose}
      onSubmit={submitForm(form, async () => onClose())}
    >
      <TextInput control={form.control} name="name" label={t.text} />
      <TextInput control={form.control} name="description" label={t.content} rows={3} />
    </FormDrawer>
  );
}

function Deliveries() {
  const t = useText(storyText);
  const [at] = useState(() => new Date(Date.now() - 42_000).toISOString());
  const nodes = [
    { id: 1, name: 'edge-1', active_revision: 42, status: 'applied', at },
    { id: 2, name: 'edge-2', active_revision: 41, status: 'pending', at: null },
    { id: 3, name: 'edge-3', active_revision: 41, status: 'refused', error: t.refusedReason, at },
  ] as const;
  return (
    <StoryGrid min={480}>
      {[nodes.slice(0, 1), nodes.slice(0, 2), nodes, []].map((some, index) => (
        <Card key={index} sx={{ p: 3 }}>
          <DeliveryState desiredRevision={42} nodes={some} />
        </Card>
      ))}
    </StoryGrid>
  );
}

function Confirmations() {
  const t = useText(storyText);
  const [open, setOpen] = useState<'ordinary' | 'typed' | 'refused' | null>(null);
  return (
    <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
      <Button variant="outlined" onClick={() => setOpen('ordinary')}>
        {t.openConfirm}
      </Button>
      <Button variant="outlined" color="error" onClick={() => setOpen('typed')}>
        {t.destructive}
      </Button>
      <Button variant="outlined" onClick={() => setOpen('refused')}>
        {t.refused}
      </Button>
      <Typography variant="body2">{t.confirmBody}</Typography>
      {open && (
        <Confirm
          title={t.confirmTitle}
          body={t.confirmBody}
          action={t.remove}
          destructive={open !== 'ordinary'}
          {...(open === 'typed' ? { typed: 'www.example.com' } : {})}
          onConfirm={async () => {
            if (open === 'refused') throw new Error(t.inUse);
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </Stack>
  );
}
