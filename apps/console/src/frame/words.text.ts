/** What the screens of every entity say, from what it is called; its own text replaces what differs. */
export const wordsOf = {
  /** @param title what it is called, as in 添加区域 */
  zh: (title: string, noun = spaced(title)) => ({
    title,
    name: '名称',
    description: '描述',
    owner: '所有者',
    platform: '平台',
    created: '添加时间',
    updated: '更新时间',
    add: `添加${noun}`,
    edit: `编辑${noun}`,
    empty: `还没有${noun}`,
    saved: `${title}已保存`,
    removed: `${title}已删除`,
    removeTitle: `删除${noun}？`,
    removeBody: (name: string) => `将删除${noun}“${name}”。`,
  }),
  /** @param one as in “Add area”; @param many as in “No areas yet” */
  en: (one: string, many = `${one}s`) => ({
    title: capital(many),
    name: 'Name',
    description: 'Description',
    owner: 'Owner',
    platform: 'Platform',
    created: 'Added',
    updated: 'Updated',
    add: `Add ${one}`,
    edit: `Edit ${one}`,
    empty: `No ${many} yet`,
    saved: `${capital(one)} saved`,
    removed: `${capital(one)} deleted`,
    removeTitle: `Delete this ${one}?`,
    removeBody: (name: string) => `${capital(one)} “${name}” will be deleted.`,
  }),
};

/** Latin letters stand apart from Chinese ones. */
const spaced = (noun: string) => noun.replace(/^(?=[A-Za-z])/, ' ');
const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
