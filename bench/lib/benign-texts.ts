/** Texts that look like attacks and are none: what people search for, write, paste, and what pages send by themselves. */

export type Random = () => number;
export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const number = (random: Random, max: number) => Math.floor(random() * max);

const nouns = [
  'order',
  'invoice',
  'user',
  'product',
  'price',
  'city',
  'report',
  'team',
  'account',
  'select box',
  'union',
  'table',
  'group',
  'drop zone',
  'script',
  'image',
  'cat',
  'shell',
  'root',
];
const names = [
  "O'Brien",
  "D'Angelo",
  'Ann',
  "L'Hay-les-Roses",
  'Zoë',
  'Müller',
  "Rock'n'Roll",
  'AT&T',
  'Barnes & Noble',
  'C#',
  'R&D',
  "Mc'Coy",
  'José',
];
const columns = ['id', 'name', 'price', 'created_at', 'status', 'email', 'city', 'amount'];
const tables = ['orders', 'users', 'products', 'events', 'sales', 'visits'];
const identifiers = ['value', 'item', 'index', 'result', 'data', 'node', 'config', 'total', 'list', 'key'];

const chinese = [
  '如何学习数据库',
  '请问“select”和“union”有什么区别',
  '订单查询；退款 & 换货',
  '价格<100 元 and 评分>4',
  '他说：‘好的’，然后走了',
  '北京—上海（高铁）',
  '用户名或密码错误！',
  '第1章：函数f(x)=x+1',
  '我要买 2 件 & 1 件',
  '脚本<script>标签怎么用？',
  '什么是 SQL 注入',
  '1=1 是什么意思',
  '《人工智能》 or 《机器学习》',
];

function sqlText(random: Random): string {
  const a = pick(random, columns);
  const b = pick(random, columns);
  const table = pick(random, tables);
  const count = number(random, 100);
  return pick(random, [
    `SELECT ${a}, ${b} FROM ${table} WHERE ${a} = ${count} AND ${b} > 10 ORDER BY ${b} LIMIT 10`,
    `how to write select ${a} from ${table} where ${b} is null`,
    `difference between union and union all in sql`,
    `UPDATE ${table} SET ${a} = ${count} WHERE ${b} = 'open';`,
    `INSERT INTO ${table} (${a}, ${b}) VALUES (${count}, 'new');`,
    `select distinct ${a} from ${table} group by ${a} having count(*) > ${count}`,
    `WITH t AS (SELECT ${a}, count(*) AS n FROM ${table} GROUP BY ${a}) SELECT * FROM t WHERE n > ${count}`,
    `SELECT a.${a}, b.${b}\nFROM ${table} a\nJOIN ${pick(random, tables)} b ON a.id = b.id\nWHERE a.${a} IN (1, 2, 3)\n  AND b.${b} LIKE 'A%'\nORDER BY 1;`,
    `CREATE TABLE ${table} (\n  id bigint primary key,\n  ${a} text not null default '',\n  ${b} integer\n);\nCREATE INDEX ON ${table} (${a});`,
    `drop table if exists in ${table}, is that safe?`,
    `the query is slow: SELECT * FROM ${table} t WHERE (SELECT count(*) FROM ${pick(random, tables)} o WHERE o.id = t.id) > ${count}`,
    `mysql error near 'order by ${a}' at line ${count}`,
  ]);
}

function codeText(random: Random): string {
  const a = pick(random, identifiers);
  const b = pick(random, identifiers);
  const count = number(random, 100);
  return pick(random, [
    `function ${a}(${b}) {\n  if (${b} === null || ${b}.length > ${count}) {\n    return '';\n  }\n  return ${b}.map((x) => x + 1).join(', ');\n}`,
    `const ${a} = await fetch('/api/${b}?id=' + id);\nconst body = await ${a}.json();\nconsole.log(body);\ndocument.getElementById('${b}').innerHTML = body.html;`,
    `for i in range(${count}):\n    ${a} = ${b}[i]\n    if ${a} and ${a} != 'x':\n        print(f"{i}: {${a}}")`,
    `import os\nimport sys\n\ndef ${a}(${b}):\n    return os.path.join(sys.argv[1], "${b}")\n\nif __name__ == "__main__":\n    ${a}(1)`,
    `public class ${a} {\n  private final String ${b};\n  public static void main(String[] args) {\n    System.out.println("a" + args[0]);\n  }\n}`,
    `#!/bin/sh\nset -e\nfor f in *.txt; do\n  ${a}=$(basename "$f" .txt)\n  cp "$f" "out/$\{${a}}.bak"\ndone\necho "done ${count}"`,
    `git commit -m "fix: ${a}" && git push origin main`,
    `npm install ${a}; npm run build`,
    `.${a} { color: #${count}aabbcc; background: url("img/${b}.png"); }\n.${b}::after { content: '\\201C'; }\n@media (max-width: ${count}px) { .${a} { display: none } }`,
    `func ${a}(w http.ResponseWriter, r *http.Request) {\n\tif err := ${b}(r); err != nil {\n\t\thttp.Error(w, err.Error(), ${count})\n\t\treturn\n\t}\n}`,
    `$${a} = array_map(fn($x) => $x + 1, $${b});\nforeach ($${a} as $k => $v) {\n  echo htmlspecialchars($v);\n}`,
    `setTimeout(() => { ${a}.focus(); }, ${count});`,
    `if (a && b || c > ${count}) return ${a}[${b}];`,
    `<template>\n  <div v-if="${a}" @click="${b}()">{{ ${a}.name }}</div>\n</template>`,
    `Exception in thread "main" java.lang.NullPointerException\n\tat com.example.${a}.run(${a}.java:${count})\n\tat java.lang.Thread.run(Thread.java:748)`,
    `printf("%d %s\\n", ${a}, ${b}[${count}]); /* ${a} */`,
    `curl -X POST https://api.example.com/${a} -H "Content-Type: application/json" -d '{"${b}": ${count}}'\n\nreturns 400, what is wrong?\nthanks`,
    `SELECT in C#: var ${a} = list.Where(x => x.${b} == ${count}).Select(x => x.Id);`,
    `=IF(A${count}>10,"high",IF(B${count}="x","y","z"))`,
    `${a} = ${b} ? '${a}' : "${b}"; // ${count}`,
  ]);
}

function markdownText(random: Random): string {
  const a = pick(random, nouns);
  const b = pick(random, identifiers);
  return pick(random, [
    `# ${a}\n\nUse \`${b}\` to *start*; then:\n\n\`\`\`sh\ncd /tmp\nls -la\ncat README.md\n\`\`\`\n\n- one\n- two | three\n\n[link](../${b}/index.html)`,
    `| ${a} | ${b} |\n|---|---|\n| 1 | \`a && b\` |\n| 2 | "x" |\n\n> quoted -- with dashes --\n\n![i](./img/${b}.png)`,
    `Hello ${pick(random, names)},\n\nthe ${a} isn't ready; I'll send it on Monday -- or Tuesday.\n\nBest,\nAnn`,
    `1. \`npm i\`\n2. \`node ${b}.js\`\n3. open http://localhost:3000/${b}\n\n**Note:** don't use \`rm -rf\` here; see [docs](https://example.com/docs?a=1&b=2#c).`,
    `## ${a}\n\n\`\`\`js\nconst ${b} = (a) => a['x'] || window['${b}'];\nalert(${b}(1));\n\`\`\`\n\nThat shows an alert.`,
    `\`\`\`sql\nSELECT * FROM t WHERE a = 'b' OR c = 1; -- all\n\`\`\`\nexplains ${a}`,
  ]);
}

function richText(random: Random): string {
  const a = pick(random, nouns);
  const name = pick(random, names);
  const count = number(random, 1000);
  return pick(random, [
    `<p>Dear <strong>${name}</strong>,</p>\n<p>the ${a} &amp; the <em>rest</em>&nbsp;is ready.</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>`,
    `<p style="text-align: center; color: rgb(${count % 255}, 0, 0);"><a href="https://example.com/${count}" target="_blank" rel="noopener">${a}</a></p>`,
    `<h2>${a}</h2><p><img src="/upload/${count}.jpg" alt="${a}" width="600" height="400" /></p><p>text</p>`,
    `<table border="1" cellpadding="4"><tbody><tr><td>${a}</td><td>${count}</td></tr></tbody></table>`,
    `<figure class="media"><oembed url="https://video.example/watch?v=${count}"></oembed></figure><p>&nbsp;</p>`,
    `<div class="row"><span data-id="${count}" style="font-size:14px;">${a}</span><br/><i>${name}</i></div>`,
    `<blockquote>“${a}” — ${name}</blockquote><pre><code class="language-js">const a = 1;</code></pre>`,
    `<p><iframe src="https://www.youtube.com/embed/${count}" width="560" height="315" frameborder="0" allowfullscreen></iframe></p>`,
    `<a href="javascript:void(0)" class="btn">${a}</a>`,
    `<div>\n<button class="tab" onclick="openTab(event, 'tab${count}')">${a}</button>\n<div id="tab${count}">\n<p>${name}</p>\n</div>\n</div>`,
    `<svg width="24" height="24" viewBox="0 0 24 24"><path d="M${count} 3h7v7H3z" fill="none"/></svg>`,
  ]);
}

function telemetryText(random: Random): string {
  const hex = () => number(random, 2 ** 31).toString(16);
  const count = number(random, 100_000);
  return pick(random, [
    JSON.stringify({
      t: 'click',
      x: count,
      path: 'body>div#app>ul.list>li:nth-child(2)',
      ts: count * 7,
      ua: 'Mozilla/5.0 (X11; Linux)',
    }),
    JSON.stringify({
      msg: `TypeError: Cannot read properties of undefined (reading '${pick(random, identifiers)}')`,
      stack: `at a (https://x.example/app.js:1:${count})\n    at b (https://x.example/app.js:2:1)\n    at c`,
    }),
    `${hex()}|${hex()}|${count}||${hex()}==--${hex()}|1920x1080|zh-CN|id|name`,
    Buffer.from(Array.from({ length: 90 }, () => number(random, 256))).toString('base64'),
    Array.from({ length: 120 }, () => String.fromCharCode(33 + number(random, 94))).join(''),
    JSON.stringify([
      [
        count,
        'pageview',
        {
          url: `https://shop.example/p?id=${count}&utm_source=a&type=2`,
          ref: 'https://www.google.com/',
          dur: count / 3,
        },
      ],
    ]),
    `v=2&tid=G-${hex()}&dl=https%3A%2F%2Fshop.example%2Flist%3Fq%3D${pick(random, nouns)}&dt=${pick(random, nouns)}%20%7C%20Shop&_s=${count}`,
    `<li class="item" data-log="{&quot;id&quot;:${count}}"><a href="/p/${count}">x</a></li>`,
    `javascript:void(0)`,
    `https://sso.example/auth?client_id=${hex()}&redirect_uri=https%3A%2F%2Fshop.example%2Fcb%3Fnext%3D%252Faccount&scope=openid%20email&state=${hex()}`,
    `a:${count};b:${hex()};c=(${count},${count});d=[${count}]`,
    `{{user.name}}|{count}|$\{total}|%s|%(n)s`,
  ]);
}

function proseText(random: Random): string {
  const a = pick(random, nouns);
  const name = pick(random, names);
  const count = number(random, 100);
  return pick(random, [
    `${name} and ${a} or ${count}`,
    `select a ${a} from the list and order by phone`,
    `is 2+2=4 and 3>2 or not?`,
    `${a}; ${a} | ${a} & more`,
    `I like cats; cat food > dog food`,
    `"${a}" AND "${pick(random, nouns)}" -${a}`,
    `${name}'s ${a} -- the best`,
    `who can drop a ${a} into the union of sets; set it`,
    `5' 11" tall, ${count} lbs`,
    `find ${a} type ${count}; more like this`,
    `price:[10 TO ${count}] AND status:open OR (a:b)`,
    `C:\\Users\\${name}\\Documents\\${a}.docx`,
    `../${a}/index.html`,
    `http://localhost:8080/${a}`,
    `(${count}) ${count}-${count}-${count} ext. ${count}`,
    `it's ${count} o'clock or '${count} late'`,
    `a=1&b=2;c=3`,
    `${a}@example.com, "${name}" <x@example.org>`,
    `<3 you, 1 < 2 and 3 > 2`,
    `$${count}.00 - $${count + 5}.00 {new}`,
    `f(x) = sin(x) * cos(x) + ${count}%`,
    `ping me when the ${a} is ready; time to go`,
    `the host is up & the net works || not`,
    `see /etc for configs, /usr/local/bin for ${a}`,
    `echo dot vs alexa; sleep tracker`,
    `eval() is evil, use JSON.parse() instead`,
    `alert fatigue (what is an alert?)`,
    `document.cookie vs localStorage`,
  ]);
}

const kinds: Record<string, (random: Random) => string> = {
  sql: sqlText,
  code: codeText,
  markdown: markdownText,
  rich_text: richText,
  telemetry: telemetryText,
  prose: proseText,
  chinese: (random) =>
    `${pick(random, chinese)}${number(random, 100)}${pick(random, ['', '，', '？', ' '])}${pick(random, chinese)}`,
};

export const kindNames = Object.keys(kinds);

export function benignText(random: Random, kind: string): string {
  return kinds[kind]!(random);
}
