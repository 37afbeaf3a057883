import { eachSecret, isGiven, issueText, secretPlaces, setName } from '@breakwater/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef } from 'react';
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
import { errorPaths } from './error-paths.ts';
import { issueKey } from './issue-key.ts';
import { isSame } from '@breakwater/contract/list-items';
import { isRefusal } from './refusal.ts';

/** A form over a schema of the contract. Its messages are keys of `issues`, so that they follow the language. */
export function useSchemaForm<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
  defaultValues: { [Key in keyof Input]?: Input[Key] | undefined },
): UseFormReturn<Input, unknown, Output> {
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver(schema, { error: issueKey }),
    defaultValues: withAbsent(schema, defaultValues) as DefaultValues<Input>,
    mode: 'onTouched',
  });
  useMended(form);
  return form;
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
) {
  return form.handleSubmit(async (values) => {
    try {
      await save(values);
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
    }
  });
}

const stripped = (path: string, prefix: string): string =>
  path.startsWith(prefix) ? path.slice(prefix.length) : path;
