import { createHash } from 'node:crypto'
import type { PluginRow } from '@stoa/sdk/administration'
import { escapeHtml } from '@stoa/sdk/server'
import { MOST_ENDS, WITHIN_SECONDS } from '../shared/run-record.ts'
import type { Language, Translate } from './texts.ts'

const STYLE = `:root{color-scheme:light dark;--text:#1c1d22;--muted:#5c5f6a;--line:#dcdde3;--page:#f6f6f8;--card:#fff;--accent:#1f4fd8;--on-accent:#fff;--good:#116b3c;--bad:#a8201a;--bad-page:#fdecea}
@media (prefers-color-scheme:dark){:root{--text:#ececf1;--muted:#a6a9b6;--line:#353741;--page:#131418;--card:#1c1e24;--accent:#8fb0ff;--on-accent:#0d1330;--good:#6fd39b;--bad:#ff9d94;--bad-page:#3a1a18}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.55 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:52rem;margin:0 auto;padding:2rem 1rem 4rem}
header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:baseline;justify-content:space-between}
h1{font-size:1.75rem;line-height:1.2;margin:0}
h2{font-size:1.125rem;margin:2rem 0 .75rem}
h3{font-size:1rem;margin:0}
p{margin:.5rem 0}
a{color:var(--accent)}
.muted{color:var(--muted);font-size:.875rem}
.card,li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:1rem}
.alert{background:var(--bad-page);color:var(--bad);border-radius:.5rem;padding:.75rem 1rem;overflow-wrap:anywhere}
ul{list-style:none;margin:0;padding:0;display:grid;gap:.5rem}
li{display:grid;grid-template-columns:1fr auto;gap:.25rem 1rem;align-items:start}
.name{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}
.state{font-size:.8125rem;font-weight:600;color:var(--muted)}
.state[data-state=on]{color:var(--good)}
.state[data-state=failed],.state[data-state=failing],.state[data-state=quarantined],.state[data-state=waiting],.reason{color:var(--bad)}
.reason{font-size:.875rem;overflow-wrap:anywhere;grid-column:1/-1;margin:0}
.actions{display:flex;flex-wrap:wrap;gap:.5rem;justify-content:flex-end}
form{margin:0}
label{display:block;margin:.75rem 0;font-size:.875rem}
input{display:block;width:100%;margin-top:.25rem;padding:.625rem .75rem;font:inherit;color:inherit;background:var(--page);border:1px solid var(--muted);border-radius:.375rem}
button,.button{display:inline-flex;align-items:center;min-height:2.5rem;padding:.375rem .875rem;font:inherit;font-size:.875rem;color:var(--text);background:transparent;border:1px solid var(--muted);border-radius:.375rem;cursor:pointer;text-decoration:none}
.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.narrow{max-width:26rem;margin:1.5rem auto}
@media (max-width:36rem){li{grid-template-columns:1fr}.actions{justify-content:flex-start;margin-top:.5rem}}`

/** Nothing runs and nothing is fetched; the one style sheet is known by its hash. */
export const RESCUE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

interface Frame {
  translate: Translate
  language: Language
  /** Said above everything else. */
  alert?: string | undefined
}

function frame({ translate, language, alert }: Frame, tools: string, body: string): string {
  return `<!doctype html><html lang="${language.replace('_', '-')}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${translate('title')}</title><style>${STYLE}</style></head><body><main><header><h1>${translate('title')}</h1>${tools}</header><p class="muted">${translate('intro')}</p>${alert ? `<p class="alert" role="alert">${escapeHtml(alert)}</p>` : ''}${body}</main></body></html>`
}

/** A button that posts. */
function action(path: string, csrf: string, values: Record<string, string>, text: string, main = false): string {
  const hidden = Object.entries({ ...values, csrf })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')
  return `<form method="post" action="/rescue/${path}">${hidden}<button${main ? ' class="main"' : ''}>${escapeHtml(text)}</button></form>`
}

interface SignInParts extends Frame {
  /** This browser has an admin's session on the site. */
  hasAdmin?: boolean
}

/** For whoever is not signed in. */
export function signInPage(page: SignInParts): string {
  const { translate } = page
  const field = (name: string, type: string, text: string, complete: string) =>
    `<label>${text}<input name="${name}" type="${type}" autocomplete="${complete}" required maxlength="200"></label>`
  return frame(
    page,
    '',
    `<div class="card narrow">${page.hasAdmin ? action('session', '', {}, translate('use_session')) : ''}<form method="post" action="/rescue/login">${field('login', 'email', translate('login'), 'username')}${field('password', 'password', translate('password'), 'current-password')}<button class="main">${translate('sign_in')}</button></form><p class="muted">${translate('sign_in_help')}</p></div>`,
  )
}

export interface ListParts extends Frame {
  csrf: string
  safeMode: boolean
  /** The site switched safe mode on by itself. */
  isOwnSafeMode: boolean
  plugins: (PluginRow & { name: string })[]
  /** Signed in by the page's own form or link, so that signing out means something. */
  hasSession: boolean
}

/** Every plugin with its state, reason and switch. */
export function listPage(page: ListParts): string {
  const { translate, csrf, safeMode, plugins } = page
  const tools = `<div class="actions"><a class="button" href="/">${translate('to_site')}</a>${page.hasSession ? action('logout', csrf, {}, translate('sign_out')) : ''}</div>`
  const safe = `<h2>${translate('safe_mode')}</h2><div class="card"><p>${translate(safeMode ? 'safe_on' : 'safe_off')}</p>${page.isOwnSafeMode ? `<p class="reason" data-own>${translate('safe_own', { times: String(MOST_ENDS), minutes: String(WITHIN_SECONDS / 60) })}</p>` : ''}${action('safe-mode', csrf, { on: String(!safeMode) }, translate(safeMode ? 'safe_leave' : 'safe_enter'), safeMode)}</div>`
  return frame(page, tools, `${safe}<h2>${translate('plugins')}</h2><ul>${plugins.map((row) => item(page, row)).join('')}</ul>`)
}

function item({ translate, csrf }: ListParts, row: ListParts['plugins'][number]): string {
  const { slug } = row
  const facts = [
    slug === row.name ? '' : slug,
    row.version,
    row.essential ? translate('essential') : '',
    row.origin === 'installed' ? translate('installed') : '',
  ]
  const switches =
    row.state === 'on'
      ? [action('switch', csrf, { slug, on: 'false' }, translate('switch_off'))]
      : row.state === 'off'
        ? [action('switch', csrf, { slug, on: 'true' }, translate('switch_on'))]
        : [
            action('switch', csrf, { slug, on: 'true' }, translate('try_again'), true),
            action('switch', csrf, { slug, on: 'false' }, translate('switch_off')),
          ]
  const [, before] = row.versions
  if (before) switches.push(action('rollback', csrf, { slug }, translate('roll_back', { version: before.version })))
  return `<li data-plugin="${escapeHtml(slug)}"><div><div class="name"><h3>${escapeHtml(row.name)}</h3><span class="state" data-state="${row.failing ? 'failing' : row.state}">${translate(row.failing ? 'failing' : row.state)}</span></div><div class="muted">${facts.filter(Boolean).map(escapeHtml).join(' · ')}</div></div><div class="actions">${row.version === '' ? '' : switches.join('')}</div>${row.reason ? `<p class="reason">${escapeHtml(row.reason)}</p>` : ''}</li>`
}

export interface ConfirmParts extends Frame {
  csrf: string
  slug: string
  name: string
  on: boolean
  epoch: number
  isEssential: boolean
  alsoOn: string[]
  alsoOff: string[]
}

/** What a switch takes along, to be agreed to. */
export function confirmPage(page: ConfirmParts): string {
  const { translate, csrf, slug, name, on, epoch, isEssential, alsoOn, alsoOff } = page
  const lines = [
    isEssential ? translate('is_essential') : '',
    alsoOff.length > 0 ? translate('also_off', { names: alsoOff.join(', ') }) : '',
    alsoOn.length > 0 ? translate('also_on', { names: alsoOn.join(', ') }) : '',
  ]
  const text = lines.filter(Boolean).map((line) => `<p>${escapeHtml(line)}</p>`)
  const agree = action('switch', csrf, { slug, on: String(on), agreed: String(epoch) }, translate('go_on'), true)
  return frame(
    page,
    '',
    `<h2>${escapeHtml(translate(on ? 'confirm_on' : 'confirm_off', { name }))}</h2><div class="card">${text.join('')}<div class="actions">${agree}<a class="button" href="/rescue">${translate('cancel')}</a></div></div>`,
  )
}
