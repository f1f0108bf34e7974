import { statfs } from 'node:fs/promises'
import { roles } from '@stoa/sdk'
import type { Finding } from '@stoa/sdk/commands'
import { sdkVersion } from '@stoa/sdk/kernel'
import { opennessOf } from '../shared/private-files.ts'
import type { SiteCheck } from './site-check.ts'

const MB = 1024 * 1024
/** Less than that, and the site cannot be sure to write. */
const TOO_LITTLE_MB = 200
const LITTLE_MB = 2000
const LITTLE_SHARE = 0.05

export const versions: SiteCheck = async ({ data }) => {
  const nodes = await data.nodes.alive()
  const running =
    nodes.length === 0 ? 'no site runs on this data' : `${nodes.length === 1 ? 'one process serves' : `${nodes.length} processes serve`} it`
  return [{ level: 'well', text: `Stoa with sdk ${sdkVersion}, Node.js ${process.versions.node}, ${data.dialect}; ${running}.` }]
}

export const diskSpace: SiteCheck = async (_, { dataDir }) => {
  const { bavail, blocks, bsize } = await statfs(dataDir)
  const free = (bavail * bsize) / MB
  const text = `${free < 10_000 ? `${Math.floor(free)} MB` : `${Math.floor(free / 1024)} GB`} are free for ${dataDir}.`
  const advice = 'Free some space, or move the data directory to a larger disk.'
  if (free < TOO_LITTLE_MB) return [{ level: 'wrong', text, advice }]
  if (free < LITTLE_MB || bavail / blocks < LITTLE_SHARE) return [{ level: 'notice', text, advice }]
  return [{ level: 'well', text }]
}

export const openness: SiteCheck = async ({ data }, { dataDir }) => {
  const config = data.readerConfig
  const sentences = opennessOf(dataDir, config.dialect === 'sqlite' ? config.file : undefined)
  if (sentences.length === 0) return [{ level: 'well', text: 'Nobody else on this machine can read it.' }]
  return sentences.map((text): Finding => ({ level: 'notice', text: `${text}.` }))
}

/** Whether people come in at all. */
export const reach: SiteCheck = async ({ data }) => {
  if (!data.site.installed)
    return [{ level: 'wrong', text: 'The site is not set up yet.', advice: 'Start it with "npm start" and open /install in a browser.' }]
  const admins = (await data.credentials.withRole(roles.admin)).filter(({ state, hasPassword }) => state === 'normal' && hasPassword)
  const { url } = data.site
  const isLocal = URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
  return [
    admins.length === 0
      ? {
          level: 'wrong',
          text: 'There is no admin who can log in with a password.',
          advice: 'stoa create-admin --email <address>',
        }
      : { level: 'well', text: `${admins.length === 1 ? 'One admin' : `${admins.length} admins`} can log in at ${url}.` },
    ...(isLocal
      ? [
          {
            level: 'notice' as const,
            text: `Links in mails lead to ${url}, which other machines do not reach.`,
            advice: 'Set the address of the site in its general settings, or STOA_SITE_URL.',
          },
        ]
      : []),
  ]
}

export const mailServer: SiteCheck = async ({ data: { mail } }, { dataDir }) => {
  const { smtp_host, smtp_port, encryption } = mail.server.get()
  if (!mail.server.isFixed && !smtp_host) {
    const text = `No mail server is set: mails become files in ${dataDir}/mail, and nobody gets one.`
    return [{ level: 'notice', text, advice: 'Name one in the mail settings, or by SMTP_URL.' }]
  }
  const name = mail.server.isFixed ? 'The mail server of SMTP_URL' : `The mail server ${smtp_host}:${smtp_port}`
  const refusal = await mail.server.greet(mail.server.get())
  const places = {
    login: 'Check its user name and password.',
    encryption: `Check the encryption${mail.server.isFixed ? '' : `, which is "${encryption || 'none'}"`}.`,
  }
  const advice = places[refusal?.at as keyof typeof places] ?? 'Check its name and port, and that this machine may reach it.'
  if (refusal) return [{ level: 'wrong', text: `${name} does not let the site in: ${refusal.reason}.`, advice }]
  return [{ level: 'well', text: `${name} answers and lets the site in.` }]
}

/** Every file of every plugin is read for that, and compared with what was built. */
export const pluginsAsTheyLie: SiteCheck = async (operator) => {
  const rows = operator.list()
  const sick = rows.filter(({ state }) => state === 'failed' || state === 'quarantined')
  const on = rows.filter(({ state }) => state === 'on')
  const left = (await operator.data.slugsWithData()).filter((slug) => !operator.isKnown(slug))
  return [
    ...(operator.stored.safeMode
      ? [
          {
            level: 'wrong' as const,
            text: 'Safe mode is on: nothing but what comes with the site runs.',
            advice: '"stoa list" says why; "stoa safe-mode off" ends it.',
          },
        ]
      : []),
    ...sick.map(
      ({ slug, state, reason, before, origin }): Finding => ({
        level: 'wrong',
        text: `${slug} ${state === 'failed' ? 'does not run' : 'is in quarantine'}: ${reason || 'nobody knows why'}`,
        advice:
          before.length > 0
            ? `stoa rollback ${slug}`
            : origin === 'bundled'
              ? `npm run build, then stoa enable ${slug}`
              : `Install it anew, or: stoa disable ${slug}`,
      }),
    ),
    ...on.flatMap(({ slug, without }) =>
      without.map(
        ({ contract, range, version }): Finding => ({
          level: 'notice',
          text: `${slug} works without ${contract}: it was built for ${range}, and ${version} is on.`,
          advice: `Update ${slug}.`,
        }),
      ),
    ),
    ...(left.length > 0
      ? [
          {
            level: 'notice' as const,
            text: `There is data of plugins that are gone: ${left.join(', ')}.`,
            advice: '"stoa remove <slug> --data" deletes it; installed again, they find it.',
          },
        ]
      : []),
    ...(sick.length === 0
      ? [{ level: 'well' as const, text: `${on.length} plugins are on, and their files are as they were built.` }]
      : []),
  ]
}
