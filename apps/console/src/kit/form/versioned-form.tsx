import { errors } from '@breakwater/contract';
import { useEffect, useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type * as z from 'zod';
import { withAbsent } from './absent.ts';
import { rootError, StaleAlert } from './form-parts.tsx';
import { savedValue, showOn, submitForm, useSchemaForm } from './form.tsx';
import { MergeNotice, type Told } from './merge-notice.tsx';
import { isSame } from '@breakwater/contract/list-items';
import { merge, type KindFields } from './merge.ts';
import { isRefusal } from './refusal.ts';
import { changesSecret } from './secrets.ts';
import { notify } from '../toast.ts';

export interface Versioned<Value> {
  version: number;
  value: Value;
  /** Of what is inherited otherwise: the fields that are set here. */
  own?: string[];
}

interface VersionedOptions<Value, Latest extends Versioned<Value>> {
  latest: Latest;
  /** Saves on top of what the form is built on. Gives what is there from then on; nothing where it was not saved after all. */
  save: (value: Value, base: Latest) => Promise<Latest | undefined>;
  refetch: () => Promise<{ data: Latest | undefined; error: Error | null }>;
  /** Texts that are lists of lines, and are merged as such. */
  lines?: readonly string[] | undefined;
  /** What is of one of several kinds, and merged with nothing of another. */
  kind?: KindFields | undefined;
  /** Something beside the fields was changed. */
  isChanged?: boolean;
  /** The form shows newer content, and nothing entered any more. */
  onTaken?: () => void;
}

/** How often a save follows others' saves that changed nothing of what the form shows. */
const attemptsMax = 5;

/**
 * A form that is built on a version. Newer content replaces what is shown as long as nothing was entered. A save that somebody
 * else was ahead of brings theirs into the form beside what was entered, shows both, and waits to be sent again; what is typed
 * while a save runs stays as a change of what was saved.
 */
export function useVersionedForm<
  Input extends FieldValues,
  Value,
  Latest extends Versioned<Value> = Versioned<Value>,
>(schema: z.ZodType<Value, Input>, options: VersionedOptions<Value, Latest>) {
  const { latest, save, refetch, isChanged = false, onTaken } = options;
  const [base, setBase] = useState(latest);
  const [reloading, setReloading] = useState(false);
  const [merged, setMerged] = useState<Told<Input> | null>(null);
  const form = useSchemaForm<Input, Value>(schema, savedValue(schema, latest.value) as never);
  const isDirty = form.formState.isDirty || isChanged;
  const take = (next: Latest) => {
    setBase(next);
    setMerged(null);
    onTaken?.();
    form.reset(withAbsent(schema, savedValue(schema, next.value)) as never);
  };
  // What was merged and then discarded is over; what both changed can still be chosen.
  useEffect(() => {
    if (!isDirty) setMerged((before) => (before?.conflicts.length ? before : null));
  }, [isDirty]);
  // What was read before a save is older than what was saved.
  useEffect(() => {
    if (!isDirty && latest.version > base.version) take(latest);
  });
  /** Puts newer content below what was entered since `before`. */
  const rebase = (next: Latest, before: unknown) => {
    const theirs = savedValue(schema, next.value) as unknown as Input;
    const mine = form.getValues();
    const built = merge(before as Input, theirs, mine, options);
    setBase(next);
    showOn(form, schema, theirs, built.value);
    return {
      ...built,
      secrets: changesSecret(schema, before, mine),
      // What is in the form is what was entered, whatever they did.
      isMine: built.conflicts.length === 0 && isSame(built.value, mine),
    };
  };
  const send = async (value: Value, from: Latest, attempt: number): Promise<void> => {
    const sent = structuredClone(form.getValues());
    try {
      const saved = await save(value, from);
      if (!saved) return;
      rebase(saved, sent);
      setMerged(null);
      onTaken?.();
    } catch (error) {
      if (!isRefusal(error) || error.code !== errors.stale_version.code) throw error;
      const { data } = await refetch();
      if (!data || data.version <= from.version) throw error;
      const built = rebase(data, savedValue(schema, from.value));
      const isSilent = built.isMine && !built.secrets && isSame(data.own, from.own);
      if (isSilent && attempt < attemptsMax) return send(value, data, attempt + 1);
      setMerged(built);
    }
  };
  const submit = submitForm(form, (value) => send(value, base, 1), { prefix: 'value.' });
  const reload = async () => {
    setReloading(true);
    const { data, error } = await refetch();
    setReloading(false);
    if (!data) return notify.refused(error?.message ?? '');
    setMerged(rebase(data, savedValue(schema, base.value)));
  };
  let notice: ReactNode = undefined;
  if (rootError(form)?.code === errors.stale_version.code)
    notice = <StaleAlert onReload={() => void reload()} busy={reloading} />;
  else if (merged && rootError(form) === null) notice = <MergeNotice form={form as never} merged={merged} />;
  return { form, submit, notice, base, take };
}
