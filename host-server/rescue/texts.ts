/** The page's own texts: it must speak when no plugin does. */
const en = {
  title: 'Rescue',
  intro: 'This page is served by the kernel alone. It works whatever the plugins do.',
  sign_in: 'Sign in',
  login: 'E-mail address',
  password: 'Password',
  sign_in_help: 'For admins. Without a password, “stoa rescue-link” on the server prints a link that works once.',
  wrong: 'The address or the password is wrong, or belongs to nobody who is an admin.',
  needs_more:
    'The password alone is not enough for this account. Log in to the site and open this page again, or use a link from “stoa rescue-link”.',
  use_session: 'Continue as the admin who is logged in',
  too_often: 'Too many attempts. Please wait ten minutes.',
  link_used: 'This link has been used or is too old. “stoa rescue-link” prints a new one.',
  expired: 'The form was too old. Nothing was changed; please try again.',
  sign_out: 'Sign out',
  to_site: 'To the site',
  safe_mode: 'Safe mode',
  safe_on: 'Safe mode is on: nothing but what comes with the site runs.',
  safe_own:
    'The site switched it on by itself: it had ended unexpectedly {times} times within {minutes} minutes. Look for what was installed or updated last, and start plugins one by one.',
  safe_off: 'Safe mode runs nothing but what comes with the site, for everybody, until it is switched off again.',
  safe_enter: 'Switch safe mode on',
  safe_leave: 'Switch safe mode off',
  plugins: 'Plugins',
  on: 'On',
  off: 'Off',
  failed: 'Did not start',
  failing: 'On, and failing',
  quarantined: 'In quarantine',
  waiting: 'Waiting for another plugin',
  essential: 'Essential',
  installed: 'Installed',
  switch_on: 'Switch on',
  switch_off: 'Switch off',
  try_again: 'Try again',
  roll_back: 'Back to {version}',
  confirm: 'Please confirm',
  confirm_on: 'Switch “{name}” on?',
  confirm_off: 'Switch “{name}” off?',
  is_essential: 'It is essential: without it the site may be of little use. This page goes on working.',
  also_off: 'Also goes off: {names}',
  also_on: 'Also goes on: {names}',
  go_on: 'Go on',
  cancel: 'Cancel',
  failed_action: 'That did not work:',
}

const zh: typeof en = {
  title: '救援',
  intro: '此页面由内核直接提供，无论插件状态如何都可以使用。',
  sign_in: '登录',
  login: '邮箱',
  password: '密码',
  sign_in_help: '仅限管理员。没有密码时，可在服务器上运行“stoa rescue-link”获取一次性链接。',
  wrong: '邮箱或密码错误，或者该账号不是管理员。',
  needs_more: '这个账号只有密码还不够。请先登录站点再打开此页面，或在服务器上运行“stoa rescue-link”获取链接。',
  use_session: '以已登录的管理员身份继续',
  too_often: '尝试次数过多，请十分钟后再试。',
  link_used: '该链接已被使用或已过期。请运行“stoa rescue-link”获取新链接。',
  expired: '表单已过期，没有任何更改，请重试。',
  sign_out: '退出登录',
  to_site: '前往站点',
  safe_mode: '安全模式',
  safe_on: '安全模式已启用：只运行随站点提供的插件。',
  safe_own: '这是站点自行启用的：它在 {minutes} 分钟内意外终止了 {times} 次。请检查最近安装或更新的插件，并逐个启用。',
  safe_off: '安全模式下，所有人都只能使用随站点提供的插件，直到再次关闭。',
  safe_enter: '启用安全模式',
  safe_leave: '关闭安全模式',
  plugins: '插件',
  on: '已启用',
  off: '已关闭',
  failed: '未能启动',
  failing: '已启用，但持续出错',
  quarantined: '已隔离',
  waiting: '等待其他插件',
  essential: '必需',
  installed: '自行安装',
  switch_on: '启用',
  switch_off: '关闭',
  try_again: '重试',
  roll_back: '回退到 {version}',
  confirm: '请确认',
  confirm_on: '启用“{name}”？',
  confirm_off: '关闭“{name}”？',
  is_essential: '这是必需的插件，关闭后站点可能无法正常使用。此页面仍可使用。',
  also_off: '同时关闭：{names}',
  also_on: '同时启用：{names}',
  go_on: '继续',
  cancel: '取消',
  failed_action: '操作未成功：',
}

export type TextKey = keyof typeof en
export type Language = 'en_US' | 'zh_CN'
export type Translate = (key: TextKey, values?: Record<string, string>) => string

export const texts: Record<Language, typeof en> = { en_US: en, zh_CN: zh }

export const translatorFor =
  (language: Language): Translate =>
  (key, values = {}) =>
    texts[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** The first wish of a reader that the page can speak. @param wishes best first: codes or an `Accept-Language` header */
export function chooseLanguage(...wishes: (string | undefined)[]): Language {
  for (const wish of wishes) {
    for (const part of (wish ?? '').slice(0, 256).split(',')) {
      if (/^\s*zh\b|^\s*zh_/i.test(part)) return 'zh_CN'
      if (/^\s*en\b|^\s*en_/i.test(part)) return 'en_US'
    }
  }
  return 'en_US'
}
