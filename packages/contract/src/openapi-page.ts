import { openApiPageScript } from './openapi-page-script.ts';
import { openApiPageText } from './openapi-page.text.ts';

/**
 * The API description as a page for people, in both languages: one file that fetches the description in its reader's language
 * from beside it and nothing else, until its reader sends a request with a token of theirs. Everything from the document is put
 * in as text, never as markup.
 */
export function openApiPage(): string {
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Breakwater API</title>
<style>${styles}</style>
</head>
<body>
<header><h1>Breakwater API</h1><input id="search" type="search"><input id="token" type="password" autocomplete="off" spellcheck="false">
<a href="/openapi.json">openapi.json</a><button id="language" type="button"></button></header>
<main id="content"></main>
<script>const words = ${JSON.stringify(openApiPageText)};${openApiPageScript}</script>
</body>
</html>
`;
}

const styles = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; }
header { position: sticky; top: 0; display: flex; gap: 16px; align-items: center; padding: 12px 24px; background: Canvas; border-bottom: 1px solid var(--line); z-index: 1; }
h1 { font-size: 18px; margin: 0; } h2 { font-size: 17px; margin: 32px 0 8px; } h3 { font-size: 13px; margin: 12px 0 4px; }
input, textarea, button { padding: 6px 10px; font: inherit; border: 1px solid var(--line); border-radius: 6px; }
header { flex-wrap: wrap; } header input { flex: 1 1 200px; max-width: 420px; }
button { cursor: pointer; background: var(--soft); color: inherit; } button[aria-pressed=true] { font-weight: 700; }
textarea { width: 100%; box-sizing: border-box; min-height: 120px; font: 13px/1.45 ui-monospace, monospace; }
form { display: grid; gap: 8px; justify-items: start; } form label { display: grid; gap: 2px; width: 100%; }
.choices { display: flex; gap: 6px; margin: 4px 0; }
main { max-width: 1000px; margin: 0 auto; padding: 0 24px 64px; }
details { border: 1px solid var(--line); border-radius: 6px; margin: 6px 0; }
summary { padding: 8px 12px; cursor: pointer; display: flex; gap: 12px; flex-wrap: wrap; }
details > div { padding: 0 12px 12px; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: 10px; border-radius: 6px; overflow: auto; max-height: 420px; margin: 4px 0; }
.method { font-weight: 700; min-width: 56px; } .soft { opacity: .7; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 4px 8px; border-top: 1px solid var(--line); vertical-align: top; }
`;
