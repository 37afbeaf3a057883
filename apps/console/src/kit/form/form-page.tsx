import { Box, Stack } from '@mui/material';
import type { ComponentProps, ReactNode } from 'react';
import { FormError, SaveBar, UnsavedGuard, useLedToWrong, type AnyForm } from './form-parts.tsx';
import { Page } from '../page.tsx';

interface FormFrameProps {
  form: AnyForm;
  onSubmit: () => Promise<void>;
  /** Why nothing can be saved. */
  disabledReason?: string | undefined;
  /** What a form that makes something new does; its button is on from the start. */
  submitLabel?: string;
  /** Between the fields and the buttons, instead of the error that belongs to no field. */
  notice?: ReactNode;
  /** Buttons before those that discard and save. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A form in a screen: it asks before it is left, and its buttons stay in sight while something is unsaved. */
export function FormFrame({
  form,
  onSubmit,
  disabledReason,
  submitLabel,
  notice,
  actions,
  children,
}: FormFrameProps) {
  const box = useLedToWrong(form.formState.isSubmitting);
  return (
    <Stack
      ref={box}
      component="form"
      noValidate
      sx={{ gap: 3 }}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      <UnsavedGuard form={form} />
      {children}
      <SaveBar form={form} disabledReason={disabledReason} submitLabel={submitLabel} actions={actions}>
        {notice}
        <FormError form={form} submitLabel={submitLabel} isTold={Boolean(notice)} />
      </SaveBar>
    </Stack>
  );
}

/** Lines of fields that are wider are hard to read. */
export const formWidth = 720;

interface FormPageProps
  extends
    Omit<FormFrameProps, 'actions'>,
    Pick<ComponentProps<typeof Page>, 'title' | 'subtitle' | 'back' | 'actions'> {}

/** A screen that is one form. */
export function FormPage({ title, subtitle, back, actions, ...frame }: FormPageProps) {
  return (
    <Page title={title} subtitle={subtitle} actions={actions} {...(back ? { back } : {})}>
      <Box sx={{ maxWidth: formWidth }}>
        <FormFrame {...frame} />
      </Box>
    </Page>
  );
}
