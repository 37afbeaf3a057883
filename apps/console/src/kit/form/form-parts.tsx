import { Alert, AlertTitle, Button, Card, Drawer, Stack, Typography } from '@mui/material';
import { useBlocker } from '@tanstack/react-router';
import { useCallback, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useText } from '../../i18n/text.ts';
import { Denied } from '../denied.tsx';
import { ActionIcon } from '../action-button.tsx';
import { Confirm } from '../confirm.tsx';
import { kitText } from '../kit.text.ts';
import { useFieldMessage } from './form.tsx';

interface Saving {
  isDirty: boolean;
  isSubmitting: boolean;
}
interface FormState extends Saving {
  errors: { root?: Record<string, unknown> | undefined };
}
/** What the parts need of a form of react-hook-form. */
export interface AnyForm {
  formState: FormState;
  reset: () => void;
  /** Stands in the place of its fields while what they are built on is being read. */
  opening?: ReactNode;
  /** It makes something new. */
  isNew?: boolean;
}

/** The error that belongs to no field. */
export function rootError(form: AnyForm): { message: string; code: number } | null {
  const error = form.formState.errors.root?.['server'] as { message?: string; type?: unknown } | undefined;
  return error ? { message: error.message ?? '', code: Number(error.type) } : null;
}

/** What is wrong and stands at no field on the screen, by the names of the fields. */
function useUntold(form: AnyForm): [name: string, message: string][] {
  const messageOf = useFieldMessage();
  const untold = form.formState.errors.root?.['untold'] as { types?: Record<string, string> } | undefined;
  return Object.entries(untold?.types ?? {}).map(([name, message]) => [name, messageOf(message) ?? '']);
}

interface FormErrorProps {
  form: AnyForm;
  submitLabel?: string | undefined;
  /** Something else tells the error that belongs to no field. */
  isTold?: boolean;
}

/** What keeps the form from being saved and stands at no field. */
export function FormError({ form, submitLabel, isTold = false }: FormErrorProps) {
  const { failed, colon } = useText(kitText);
  const error = isTold ? null : rootError(form);
  const untold = useUntold(form);
  const saves = submitLabel === undefined ? failed.save : failed.operation;
  if (error === null && untold.length === 0) return null;
  return (
    <Alert severity="error">
      <AlertTitle component="p">{form.isNew ? failed.creation : saves}</AlertTitle>
      {error?.message}
      {untold.map(([name, message]) => (
        <div key={name}>
          {name}
          {colon}
          {message}
        </div>
      ))}
    </Alert>
  );
}

/**
 * Asks before a form with unsaved changes is left. While they are being saved, whoever leaves waits: of what is refused after the
 * form has gone nobody would hear. A form that goes on by itself once it is saved does so with `ignoreBlocker`, or would wait for
 * itself.
 */
export function UnsavedGuard({ form, body }: { form: { formState: Saving }; body?: string }) {
  const t = useText(kitText);
  const { isDirty } = form.formState;
  const blocker = useBlocker({
    shouldBlockFn: useUnsaved(form.formState),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Confirm
      title={body ? t.leaveAnyway : t.leaveTitle}
      body={body ?? t.leaveBody}
      action={t.leave}
      onConfirm={async () => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  );
}

/** Answers whether leaving would lose anything, once no save is under way. What has gone was saved, or discarded. */
function useUnsaved({ isDirty, isSubmitting }: Saving): () => Promise<boolean> {
  const now = useRef({ isDirty, saving: undefined as PromiseWithResolvers<void> | undefined });
  useLayoutEffect(() => {
    now.current.isDirty = isDirty;
    if (isSubmitting) now.current.saving ??= Promise.withResolvers();
    else {
      now.current.saving?.resolve();
      now.current.saving = undefined;
    }
  });
  useLayoutEffect(() => {
    const last = now.current;
    return () => {
      last.isDirty = false;
      last.saving?.resolve();
    };
  }, []);
  return useCallback(async () => {
    await now.current.saving?.promise;
    return now.current.isDirty;
  }, []);
}

interface FormDrawerProps {
  title: string;
  form: AnyForm;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  submitLabel?: string;
  disabledReason?: string | undefined;
  /** Above the buttons, instead of the error that belongs to no field. */
  notice?: ReactNode;
  children: ReactNode;
}

/**
 * A form beside the list it belongs to. Mount it to open it; closing asks when something was entered. It stays until a save is
 * answered: what is refused would be lost, and what is saved late would close whatever is open by then.
 */
export function FormDrawer({
  title,
  form,
  onSubmit,
  onClose,
  submitLabel,
  disabledReason,
  notice,
  children,
}: FormDrawerProps) {
  const t = useText(kitText);
  const [asking, setAsking] = useState(false);
  const { isDirty, isSubmitting } = form.formState;
  const fields = useStillWhile(isSubmitting);
  const close = () => {
    if (isSubmitting) return;
    if (isDirty) setAsking(true);
    else onClose();
  };
  return (
    <Drawer
      anchor="right"
      open
      onClose={close}
      slotProps={{
        paper: { role: 'dialog', 'aria-label': title, sx: { width: { xs: '100%', sm: 480 } } } as object,
      }}
    >
      <Stack
        component="form"
        noValidate
        sx={{ height: '100%' }}
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <Stack
          direction="row"
          sx={{ alignItems: 'center', px: 3, py: 2, borderBottom: 1, borderColor: 'divider' }}
        >
          <Typography component="h2" variant="h6" sx={{ flex: 1 }}>
            {title}
          </Typography>
          <ActionIcon icon="close" label={t.close} onClick={close} />
        </Stack>
        <Stack ref={fields} inert={isSubmitting} sx={{ flex: 1, overflowY: 'auto', p: 3, gap: 2.5 }}>
          {form.opening ?? children}
        </Stack>
        <Stack sx={{ p: 3, pt: 2, gap: 2, borderTop: 1, borderColor: 'divider' }}>
          {notice}
          <FormError form={form} submitLabel={submitLabel} isTold={Boolean(notice)} />
          <Stack direction="row" sx={{ gap: 1.5, justifyContent: 'flex-end' }}>
            <Button color="inherit" onClick={close} disabled={isSubmitting}>
              {t.cancel}
            </Button>
            <Denied reason={disabledReason}>
              <Button
                type="submit"
                variant="contained"
                loading={isSubmitting}
                disabled={form.opening !== undefined}
              >
                {submitLabel ?? t.save}
              </Button>
            </Denied>
          </Stack>
        </Stack>
      </Stack>
      <UnsavedGuard form={form} />
      {asking && (
        <Confirm
          title={t.leaveTitle}
          body={t.leaveBody}
          action={t.leave}
          onConfirm={async () => onClose()}
          onClose={() => setAsking(false)}
        />
      )}
    </Drawer>
  );
}

/**
 * A drawer closes once it is saved: what would be typed until then would be lost, so its fields take nothing. What had the
 * focus has it again if it was not saved, or the first field that is wrong.
 */
function useStillWhile(isSubmitting: boolean): RefObject<HTMLDivElement | null> {
  const fields = useRef<HTMLDivElement>(null);
  const focused = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const box = fields.current;
    if (isSubmitting) {
      const { activeElement } = document;
      focused.current =
        activeElement instanceof HTMLElement && box?.contains(activeElement) ? activeElement : null;
    } else {
      (firstWrong(box) ?? focused.current)?.focus();
      focused.current = null;
    }
  }, [isSubmitting]);
  return fields;
}

/** The first field that is marked as wrong and can be seen. */
const firstWrong = (box: HTMLElement | null): HTMLElement | undefined =>
  [...(box?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [])].find((field) =>
    field.checkVisibility({ visibilityProperty: true }),
  );

/**
 * Leads to the first field that is wrong once a form was refused. The form library does so too, but by the order in which fields
 * came to be, and stops at one that is no longer there.
 */
export function useLedToWrong(isSubmitting: boolean): RefObject<HTMLFormElement | null> {
  const box = useRef<HTMLFormElement>(null);
  const wasSubmitting = useRef(false);
  useLayoutEffect(() => {
    if (wasSubmitting.current && !isSubmitting) firstWrong(box.current)?.focus();
    wasSubmitting.current = isSubmitting;
  }, [isSubmitting]);
  return box;
}

/** The buttons below a form in a screen. They stick to the window's end while something is unsaved. */
export function SaveBar({
  form,
  disabledReason,
  submitLabel,
  actions,
  children,
}: {
  form: AnyForm;
  disabledReason?: string | undefined;
  submitLabel?: string | undefined;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const t = useText(kitText);
  const { isDirty, isSubmitting } = form.formState;
  return (
    <Card
      sx={(theme) => ({
        position: isDirty ? 'sticky' : 'static',
        bottom: 16,
        zIndex: 2,
        // With nothing to save there is no bar, only its buttons.
        ...(isDirty
          ? { p: 2, boxShadow: theme.shadows[8] }
          : {
              overflow: 'visible',
              border: 0,
              backgroundColor: 'transparent',
              boxShadow: 'none',
              ...theme.applyStyles('dark', { boxShadow: 'none' }),
            }),
      })}
    >
      {children && <Stack sx={{ mb: 2, gap: 2, '&:empty': { display: 'none' } }}>{children}</Stack>}
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1.5, flexWrap: 'wrap' }}>
        <Typography variant="body2" sx={{ flex: '1 1 auto', color: 'text.secondary' }} role="status">
          {disabledReason ?? (isDirty ? t.unsaved : '')}
        </Typography>
        <Stack direction="row" sx={{ gap: 1.5, ml: 'auto', flexWrap: 'wrap', justifyContent: 'flex-end' }}>
          {actions}
          <Button color="inherit" disabled={!isDirty || isSubmitting} onClick={() => form.reset()}>
            {t.discard}
          </Button>
          <Denied reason={disabledReason}>
            <Button
              type="submit"
              variant="contained"
              loading={isSubmitting}
              disabled={!isDirty && submitLabel === undefined && disabledReason === undefined}
            >
              {submitLabel ?? t.save}
            </Button>
          </Denied>
        </Stack>
      </Stack>
    </Card>
  );
}

/** Somebody saved in the meantime, and theirs could not be read: says so, and tries again without losing what was entered. */
export function StaleAlert({ onReload, busy }: { onReload: () => void; busy: boolean }) {
  const t = useText(kitText);
  return (
    <Alert
      severity="warning"
      action={
        <Button color="inherit" size="small" onClick={onReload} loading={busy}>
          {t.staleReload}
        </Button>
      }
    >
      <strong>{t.staleTitle}</strong>
      <br />
      {t.staleBody}
    </Alert>
  );
}
