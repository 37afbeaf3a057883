import { defineText } from '../i18n/text.ts';

interface Chapter {
  [key: string]: string;
  title: string;
  body: string;
}

/** The public pages: questions that are asked often, and what happens to a visitor's data. */
export const pagesText = defineText({
  zh: {
    home: '返回首页',
    faqs: {
      title: '常见问题',
      lead: '关于接入、缓存、配置生效与账号的常见问题。',
      chapters: {
        start: {
          title: '如何接入一个站点？',
          body: '在“站点”中点击“添加站点”，填写域名与源站，然后将域名的 CNAME 记录指向线路组的完整 CNAME。保存后约一秒，线路组内的所有节点即可为该域名提供服务。',
        },
        green: {
          title: '站点的“已生效”是什么意思？',
          body: '每次保存都会产生一个新版本。该版本在相关节点全部生效后，才会显示为“已生效”；拒绝的节点会给出原因，并继续使用上一个可用版本。',
        },
        cache: {
          title: '内容更新后，访客看到的仍是旧内容怎么办？',
          body: '检查站点的缓存规则与缓存时间。规则按顺序匹配，第一条命中的规则生效；响应头 X-Cache 表明请求是命中缓存还是回源。',
        },
        undo: {
          title: '改错了配置，如何恢复？',
          body: '打开站点详情的“版本”，查看差异，选择之前的版本并回滚。回滚也会产生一个新版本。',
        },
        account: {
          title: '管理员与客户有何不同？',
          body: '管理员以用户名登录，管理整个平台；客户以邮箱登录，只能看到自己的站点与订单。',
        },
        session: {
          title: '为什么会被要求重新登录？',
          body: '会话有固定的有效期；修改密码或停用账号会立即结束该账号的所有会话。重新登录后会回到之前的页面。',
        },
      } satisfies Record<string, Chapter>,
    },
    privacy: {
      title: '隐私说明',
      lead: '本控制台由您所使用服务的运营方自行部署。以下说明软件本身处理哪些数据。',
      chapters: {
        account: {
          title: '账号数据',
          body: '服务器保存账号的名称、邮箱、最近一次登录的时间与 IP。密码仅以 argon2id 散列保存，无法还原。',
        },
        logs: {
          title: '访问日志',
          body: '节点记录访客对站点的请求：时间、域名、路径、访客 IP、User-Agent、状态码与流量，用于统计、计费与防护。保留时间由运营方设置，到期自动删除。',
        },
        audit: {
          title: '操作日志',
          body: '每一次修改配置的操作都会被记录，包括操作人与 IP。密码与密钥在记录中会被遮盖。',
        },
        browser: {
          title: '浏览器中的数据',
          body: '控制台在浏览器本地存储会话令牌、界面设置与语言，不使用跟踪 Cookie，也不加载第三方统计脚本。',
        },
        rights: { title: '您的权利', body: '如需查询、更正或删除您的数据，请联系服务的运营方。' },
      } satisfies Record<string, Chapter>,
    },
  },
  en: {
    home: 'Back to home',
    faqs: {
      title: 'Frequently asked questions',
      lead: 'Adding sites, caching, deployment and accounts.',
      chapters: {
        start: {
          title: 'How do I add a site?',
          body: 'Under Sites, choose “Add site” and enter the domain and the origin. Then point the domain’s CNAME record at the full CNAME of the line group. About a second after you save, every node of the line group serves the domain.',
        },
        green: {
          title: 'What does “Live” on a site mean?',
          body: 'Every save creates a new version. The site shows “Live” only once all of its nodes are running that version. A node that rejects it reports the reason and keeps serving the last good version.',
        },
        cache: {
          title: 'Visitors still see old content after an update. What can I do?',
          body: 'Check the site’s cache rules and their TTLs. Rules are evaluated in order and the first match applies. The X-Cache response header shows whether a request was a cache hit or went to the origin.',
        },
        undo: {
          title: 'How do I undo a change?',
          body: 'Open Versions on the site, compare the differences, choose an earlier version and roll back. A rollback creates a new version as well.',
        },
        account: {
          title: 'What is the difference between administrators and customers?',
          body: 'Administrators sign in with a username and manage the whole platform. Customers sign in with an email and see only their own sites and orders.',
        },
        session: {
          title: 'Why am I asked to sign in again?',
          body: 'Sessions expire after a fixed time, and changing the password or disabling the account ends all of its sessions immediately. After signing in again, you return to the page you were on.',
        },
      },
    },
    privacy: {
      title: 'Privacy',
      lead: 'This console is run by the operator of the service you use. The following describes the data that the software itself processes.',
      chapters: {
        account: {
          title: 'Account data',
          body: 'The server stores the name and email of an account, and the time and IP of its last sign-in. Passwords are stored only as argon2id hashes and cannot be recovered.',
        },
        logs: {
          title: 'Access logs',
          body: 'Nodes log requests to sites: time, domain, path, client IP, user agent, status code and bytes, for statistics, billing and protection. The operator sets how long logs are kept; after that they are deleted automatically.',
        },
        audit: {
          title: 'Operation log',
          body: 'Every configuration change is logged with its author and their IP. Passwords and keys are masked in the log.',
        },
        browser: {
          title: 'Data in your browser',
          body: 'The console keeps the session token, interface settings and language in local storage. It sets no tracking cookies and loads no third-party analytics scripts.',
        },
        rights: {
          title: 'Your rights',
          body: 'To access, correct or delete your data, contact the operator of the service.',
        },
      },
    },
  },
});
