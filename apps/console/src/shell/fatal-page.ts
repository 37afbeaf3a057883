import { language } from '../i18n/language.ts';
import { shellText } from './shell.text.ts';

/** The last page there is: drawn without any of the parts that may have failed. */
export function showFatal(root: HTMLElement, error: unknown): void {
  const t = shellText[language.get()].error;
  const page = document.createElement('div');
  page.setAttribute('role', 'alert');
  page.style.cssText = 'max-width:560px;margin:20vh auto;padding:0 24px;font:16px/1.6 system-ui,sans-serif';
  const title = document.createElement('h1');
  title.textContent = t.title;
  const message = document.createElement('p');
  message.textContent = error instanceof Error ? error.message : String(error);
  const retry = document.createElement('button');
  retry.textContent = t.retry;
  retry.addEventListener('click', () => location.reload());
  page.append(title, message, retry);
  root.after(page);
}
