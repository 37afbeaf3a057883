import { Stack } from '@mui/material';
import type { ComponentProps, ReactNode } from 'react';
import { FormError, SaveBar, UnsavedGuard, type AnyForm } from './form-parts.tsx';
import { Page } from './page.tsx';

interface FormPageProps extends Pick<ComponentProps<typeof Page>, 'title' | 'subtitle' | 'back' | 'actions'> {
  form: AnyForm;
  onSubmit: () => Promise<void>;
  /** Why nothing can be saved. */
  disabledReason?: string | undefined;
  /** Between the fields and the buttons, such as `StaleAlert`. */
  notice?: ReactNode;
  children: ReactNode;
}

/** A screen that is one form: it asks before it is left, and its buttons stay in sight while something is unsaved. */
export function FormPage({ form, onSubmit, disabledReason, notice, children, ...page }: FormPageProps) {
  return (
    <Page {...page}>
      <Stack
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
        <SaveBar form={form} disabledReason={disabledReason}>
          {notice}
          <FormError form={form} />
        </SaveBar>
      </Stack>
    </Page>
  );
}
