import { makeAdministratorIn, type World } from '@breakwater/test-world';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { seen, type Visitor } from './browser.ts';
import { openSession } from './shell.ts';

/** Two people, each signed in with a browser of their own, and the same form open in both. */

export type Two = readonly [Visitor, Visitor];

/** The first administrator, and another of the same group. */
export async function openTwo(world: World): Promise<Two> {
  const { group_id: groupId } = (await world.admin.get('listAdminUsers', { query: {} })).list[0]!;
  const administrator = await makeAdministratorIn(world, groupId);
  return [await openSession(world), await openSession(world, { administrator })];
}

/** What is entered, by the label of its field: a text, the state of a switch, one more of a list, an option, or as it says. */
export type Entered = Record<
  string,
  string | boolean | { add: string } | { choose: string | RegExp } | ((page: Page) => Promise<unknown>)
>;

export interface SharedForm {
  /** Opens it, and answers what its fields and its button stand in. */
  open: (page: Page) => Promise<Page | Locator>;
  stored: () => Promise<{ version: number }>;
  /** Who saves first, and who is told of it. What both enter is a conflict, in which the second stays with theirs. */
  first: Entered;
  second: Entered;
  /** What is there in the end. */
  both: object;
  /** Answers what is asked before it is saved. */
  confirm?: ((page: Page) => Promise<unknown>) | undefined;
  /** What the second one reads, beside the title. */
  told?: RegExp;
  /** Before the second one saves. */
  between?: (page: Page) => Promise<unknown>;
}

async function enter(page: Page, scope: Page | Locator, entered: Entered): Promise<void> {
  for (const [label, value] of Object.entries(entered)) {
    if (typeof value === 'function') await value(page);
    else if (typeof value === 'string') await scope.getByLabel(label, { exact: true }).fill(value);
    else if (typeof value === 'boolean')
      await scope.getByRole('switch', { name: label, exact: true }).setChecked(value);
    else {
      const box = scope.getByRole('combobox', { name: label, exact: true });
      if ('add' in value) {
        await box.fill(value.add);
        await box.press('Enter');
      } else {
        await box.click();
        await page.getByRole('option', { name: value.choose }).click();
      }
    }
  }
}

/** The button of the form that has something to save. */
const save = (scope: Page | Locator) => scope.locator('button:enabled', { hasText: /^Save$/ }).first();

/** Both open it, one saves after the other, and what each of them entered is stored. */
export async function bothSave([one, other]: Two, form: SharedForm): Promise<void> {
  const { open, stored, first, second, both, confirm, between, told } = form;
  const pages = [one.page, other.page] as const;
  const [firsts, seconds] = await Promise.all([open(pages[0]), open(pages[1])]);
  // The second one types before the first one has saved: nothing newer is read into the form unasked.
  await enter(pages[1], seconds, second);
  await enter(pages[0], firsts, first);
  const { version } = await stored();
  await save(firsts).click();
  await confirm?.(pages[0]);
  await expect.poll(async () => (await stored()).version).toBe(version + 1);

  await between?.(pages[1]);
  await save(seconds).click();
  await confirm?.(pages[1]);
  await seen(seconds.getByText('Changed by someone else'));
  if (told) await seen(seconds.getByText(told));
  for (const [label, mine] of Object.entries(second)) {
    const theirs = first[label];
    if (typeof mine !== 'string' || typeof theirs !== 'string') continue;
    await seen(seconds.getByRole('radio', { name: `Theirs: ${theirs}`, exact: true }));
    await seen(seconds.getByRole('radio', { name: `Yours: ${mine}`, exact: true }));
  }
  await save(seconds).click();
  await confirm?.(pages[1]);
  await expect.poll(stored).toMatchObject(both);
  expect([...one.scriptErrors, ...other.scriptErrors]).toEqual([]);
}

/** Does something with a row of a list, and answers the drawer that opens. */
export const drawerOf = (path: string, row: string, action: string) => async (page: Page) => {
  await page.goto(path);
  await page.getByRole('button', { name: `Actions for ${row}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
  return page.getByRole('dialog');
};
