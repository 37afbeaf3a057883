import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBuiltKit, type Kit } from './kit-page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openBuiltKit('production');
});
afterAll(async () => {
  await kit?.close();
});
const openKit: Kit['open'] = (...wanted) => kit.open(...wanted);

describe('fields and forms', () => {
  test('tell what is wrong at the field', async () => {
    const { page, close } = await openKit('fields');
    const wrong = page.locator('section, div').filter({ hasText: 'With errors' }).last();
    await wrong.waitFor();
    await page.getByText('70000: Please Enter Valid Port Range').waitFor();
    await page.getByText('300.1.1.1: IP Format Error').waitFor();
    const ports = page.getByLabel('Ports').first();
    await ports.fill('80, 443\n1-65535');
    await page.getByRole('button', { name: 'Check' }).first().click();
    await page.getByRole('alert').filter({ hasText: 'All is valid' }).waitFor();
    await ports.fill('1-65536');
    await ports.blur();
    await page.getByText('1-65536: Please Enter Valid Port Range').waitFor();
    await close();
  });

  test('notice what a browser fills in by itself', async () => {
    const { page, close } = await openKit('fields');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const input = page.getByLabel('Ports').first();
    // MUI is told by an animation, which begins once the field is, or is no longer, filled in.
    expect(await input.evaluate((field) => getComputedStyle(field).animationName)).toBe(
      'mui-auto-fill-cancel',
    );
    const begun = await input.evaluate(async (field: HTMLElement) => {
      const told = new Promise((resolve) =>
        field.addEventListener('animationstart', resolve, { once: true }),
      );
      field.style.animation = 'none';
      void getComputedStyle(field).animationName;
      field.style.animation = '';
      return ((await told) as AnimationEvent).animationName;
    });
    expect(begun).toBe('mui-auto-fill-cancel');
    await close();
  });

  test('say of a chosen value that it is no longer offered, and keep it', async () => {
    const { page, close } = await openKit('fields');
    const select = page.getByRole('combobox', { name: 'Algorithm' }).nth(1);
    await expect.poll(() => select.textContent()).toBe('withdrawn (no longer available)');
    await select.click();
    expect(await page.getByRole('option', { selected: true }).textContent()).toBe(
      'withdrawn (no longer available)',
    );
    await page.keyboard.press('Escape');
    await close();
  });

  test('never show a secret, and send none that nobody replaced', async () => {
    const { page, close } = await openKit('fields');
    expect(await page.getByLabel('App secret', { exact: true }).first().inputValue()).toBe(
      'Set (cannot be viewed)',
    );
    await page.getByRole('button', { name: 'Replace: App secret' }).first().click();
    await page.getByLabel('App secret', { exact: true }).first().fill('typed');
    await page.getByRole('button', { name: 'Keep current value' }).click();
    expect(await page.getByLabel('App secret', { exact: true }).first().inputValue()).toBe(
      'Set (cannot be viewed)',
    );
    await close();
  });

  test('are put in order by keyboard', async () => {
    const { page, close } = await openKit('fields');
    const origins = page.getByRole('group', { name: 'Origins' }).first();
    const values = () =>
      origins
        .getByRole('textbox')
        .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    expect(await values()).toEqual(['192.0.2.10', '192.0.2.11', 'origin.example.com']);
    await origins.getByRole('button', { name: 'Move entry 1' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expect.poll(values).toEqual(['192.0.2.11', '192.0.2.10', 'origin.example.com']);
    await close();
  });

  test('that are read only take the focus and no change', async () => {
    const { page, close, complaints } = await openKit('fields');
    const locked = page.getByRole('region', { name: 'Read-only', exact: true });
    // What can be typed into at all says that it is read only; lists to choose from do not open.
    const fields = await locked
      .locator('input:not([type=checkbox]):not([aria-hidden=true]), textarea:not([aria-hidden=true])')
      .evaluateAll((all: HTMLInputElement[]) => all.map(({ name, readOnly }) => ({ name, readOnly })));
    expect(fields.length).toBeGreaterThan(15);
    expect(fields.filter(({ readOnly }) => !readOnly)).toEqual([]);
    await locked.getByRole('combobox', { name: 'Algorithm' }).click();
    expect(await page.getByRole('listbox').count()).toBe(0);
    const toggle = locked.getByRole('switch');
    await toggle.focus();
    await page.keyboard.press('Space');
    expect(await toggle.isChecked()).toBe(true);
    for (const unit of await locked.locator('select').all()) expect(await unit.isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  test('ask before what was entered is lost, and show what the server refused at its field', async () => {
    const { page, close } = await openKit('forms');
    await page.getByLabel('Name').first().fill('taken');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('The server refused it: this name is taken').first().waitFor();
    await page.getByRole('tab', { name: 'Charts' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(page.url()).toContain('#/forms');
    await page.getByRole('tab', { name: 'Charts' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/#\/charts/);
    await close();
  });

  test('ask for the name of what is destroyed', async () => {
    const { page, close } = await openKit('forms');
    await page.getByRole('button', { name: 'Destructive confirmation with a typed name' }).click();
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel('Type www.example.com to confirm').fill('www.example.com');
    await remove.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await close();
  });

  test('are saved whatever was entered in fields that are hidden since, and keep it for when they are shown', async () => {
    const { page, close } = await openKit('forms');
    const form = page.locator('form').filter({ has: page.getByRole('combobox', { name: 'Kind' }) });
    const choose = async (kind: string) => {
      await form.getByRole('combobox', { name: 'Kind' }).click();
      await page.getByRole('option', { name: kind, exact: true }).click();
    };
    const save = () => form.getByRole('button', { name: 'Save' }).click();
    const word = form.getByRole('textbox', { name: 'Word' });
    await word.fill('NOT A WORD');
    await word.blur();
    await choose('Code');
    await choose('Word');
    expect(await word.inputValue()).toBe('NOT A WORD');
    await choose('Code');
    await save();
    await page.getByText('{"kind":"code","word":"abc","code":"","size":1}').waitFor();

    // Shown again it counts again.
    await choose('Word');
    await word.fill('NOT A WORD');
    // The message takes room: it would move the button while that is pressed.
    await word.blur();
    await expect.poll(() => word.getAttribute('aria-invalid')).toBe('true');
    await save();
    await expect.poll(() => word.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await form.getByRole('alert').count()).toBe(0);
    await close();
  });

  test('tell what keeps them from being saved where no field shows it', async () => {
    const { page, close } = await openKit('forms');
    const form = page.locator('form').filter({ has: page.getByRole('combobox', { name: 'Kind' }) });
    const save = () => form.getByRole('button', { name: 'Save' }).click();
    const told = form.getByRole('alert');
    await form.getByRole('button', { name: 'Make a field wrong' }).click();
    await save();
    await expect.poll(() => told.textContent()).toContain('size: ');
    await form.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => told.count()).toBe(0);

    // What a server says of it is told as well.
    await form.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Code', exact: true }).click();
    await form.getByRole('textbox', { name: 'Code' }).fill('gone');
    await save();
    await expect.poll(() => told.textContent()).toContain('size: The server refused it');
    await close();
  });
});
