import { eachSecret, isGiven, issueText, secretPlaces, setName } from '@breakwater/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useEffectEvent, useRef, useState, type BaseSyntheticEvent } from 'react';
import {
  useForm,
  useWatch,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod';
import { useLanguage } from '../../i18n/language.ts';
import { withAbsent } from './absent.ts';
import { allWrong, errorPaths } from './error-paths.ts';
import { issueKey } from './issue-key.ts';
import { isSame } from '@breakwater/contract/list-items';
import { leaveOut } from './leave-out.ts';
import { isRefusal } from './refusal.ts';
import { shownOf, type Shown } from './shown.ts';

/** A form over a schema of the contract. Its messages are keys of `issues`, so that they follow the language. */
export function useSchemaForm<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
  defaultValues: { [Key in keyof Input]?: Input[Key] | undefined },
): UseFormReturn<Input, unknown, Output> {
  const check = zodResolver(schema, { error: issueKey });
  const form: UseFormReturn<Input, unknown, Output> = useForm<Input, unknown, Output>({
    resolver: (values, ...others) => {
      const shown = shownOf(form.control);
      return check(shown.left ? leaveOut(schema, values, shown.left, shown) : values, ...others);
    },
    defaultValues: withAbsent(schema, defaultValues) as DefaultValues<Input>,
    mode: 'onTouched',
  });
  useMended(form);
  useDrawn(form);
  return form;
}

/** Tells when the screen shows what was found wrong. */
function useDrawn<Input extends FieldValues, Output>({
  control,
  formState: { errors },
}: UseFormReturn<Input, unknown, Output>): void {
  const [asked, setAsked] = useState<{ answer: (errors: object) => void } | null>(null);
  const answer = useEffectEvent(() => asked?.answer(errors));
  useEffect(() => answer(), [asked]);
  useEffect(() => {
    shownOf(control).drawn = () => new Promise((resolve) => setAsked({ answer: resolve }));
  }, [control]);
}

/** What is wrong between two fields stands at one of them, and goes as well when the other is mended. */
function useMended<Input extends FieldValues, Output>({
  subscribe,
  trigger,
}: UseFormReturn<Input, unknown, Output>): void {
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ errors, name }) => {
          const others = errorPaths(errors ?? {}).filter((path) => path !== name) as FieldPath<Input>[];
          if (others.length > 0) void trigger(others);
        },
      }),
    [subscribe, trigger],
  );
}

/** Fills a field as another is typed, until it says something else: a description with the name. */
export function useFilledFrom<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  field: FieldPath<Input>,
  source: FieldPath<Input>,
): void {
  const value = useWatch({ control: form.control, name: source });
  const filled = useRef(value);
  useEffect(() => {
    if (filled.current !== value && form.getValues(field) === filled.current) form.setValue(field, value);
    filled.current = value;
  }, [field, form, value]);
}

/**
 * A value as the server has it once it is saved: of secrets only whether they are set. What stayed in a form would be set anew
 * with its next save.
 */
export function savedValue<Value>(schema: z.core.$ZodType, value: Value): Value {
  return eachSecret(value, secretPlaces(schema), (holder, name) => {
    const mark = setName(name);
    // Of a choice of kinds, each has secrets of its own, and takes none of another's.
    if (!(name in holder) && !(mark in holder)) return;
    holder[mark] = isGiven(holder[name]) || holder[mark] === true;
    // Emptied, not left out: to a form a field that it shows and that is missing would be a change.
    holder[name] = undefined;
  });
}

/** Shows `value` as changes of `below`: what is typed while a save runs is a change of what was saved. */
export function showOn<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  schema: z.core.$ZodType,
  below: Input,
  value: Input,
): void {
  const show = (values: Input, options = {}) =>
    form.reset(withAbsent(schema, values) as DefaultValues<Input>, options);
  show(below);
  if (!isSame(below, value)) show(value, { keepDefaultValues: true });
}

/** A client message is a key, a server's is a sentence already. */
export function useFieldMessage(): (message: string | undefined) => string | undefined {
  const language = useLanguage();
  return (message) => (message === undefined ? message : (issueText(message, language) ?? message));
}

/**
 * Saves the form. Errors of the server go to their fields; what belongs to no field stands above the buttons, with the
 * code as its type. `prefix` is the part of the server's paths that the form does not have.
 */
export function submitForm<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  save: (values: Output) => Promise<unknown>,
  { prefix = '' } = {},
): (event?: BaseSyntheticEvent) => Promise<void> {
  return (event) => {
    // By itself the browser would leave the screen for it.
    event?.preventDefault();
    return handleForm(form, async (values) => {
      try {
        await save(values);
        return true;
      } catch (error) {
        const { code, message, fields } = isRefusal(error)
          ? error
          : { code: -1, message: String(error), fields: [] };
        const known = form.getValues();
        const placed = fields.filter(({ path }) => stripped(path, prefix).split('.')[0]! in known);
        placed.forEach((field, index) => {
          const path = stripped(field.path, prefix) as FieldPath<Input>;
          form.setError(path, { type: 'server', message: field.message }, { shouldFocus: index === 0 });
        });
        const others = fields
          .filter((field) => !placed.includes(field))
          .map((field) => `${field.path}: ${field.message}`);
        form.setError('root.server', { type: String(code), message: [message, ...others].join(' · ') });
        return false;
      }
    });
  };
}

/**
 * Does something with the form's value if it is valid; `act` says whether it was done. Nothing is refused without a word: what is
 * wrong in fields that are hidden is left out, and what else is wrong and stands at no field on the screen is told above the buttons.
 */
export async function handleForm<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  act: (values: Output) => Promise<boolean>,
): Promise<void> {
  const shown = shownOf(form.control);
  shown.left = undefined;
  let wrong = await wrongOnSubmit(form, act, shown);
  const hidden = wrong.map(({ path }) => path).filter((path) => shown.hides(path));
  if (hidden.length > 0) {
    shown.left = { paths: hidden, defaults: form.formState.defaultValues };
    wrong = await wrongOnSubmit(form, act, shown);
  }
  const untold = wrong.filter(({ path }) => !shown.tells(path));
  if (untold.length > 0)
    form.setError('root.untold', {
      type: 'untold',
      types: Object.fromEntries(untold.map(({ path, message }) => [shown.nameOf(path), message])),
    });
}

/** What is wrong once the form was sent, as the screen shows it; nothing if all was done. */
async function wrongOnSubmit<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  act: (values: Output) => Promise<boolean>,
  shown: Shown,
) {
  let isDone = false;
  await form.handleSubmit(async (values) => {
    isDone = await act(values);
  })();
  return isDone ? [] : allWrong(await shown.drawn());
}

const stripped = (path: string, prefix: string): string =>
  path.startsWith(prefix) ? path.slice(prefix.length) : path;
