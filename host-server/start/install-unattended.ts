import type { KernelState } from './kernel-state.ts'

/** The site is empty, and its configuration says how to set it up. */
export const needsSetup = ({ options, data }: KernelState): boolean => options.install !== undefined && !data.site.installed

/** Sets an empty site up as its configuration says. */
export async function installUnattended({ options, data, admin }: KernelState): Promise<void> {
  if (!options.install || data.site.installed) return
  const { siteName, language, adminName, adminEmail, adminPassword, contactEmail = '', isPrivate = false, extra = {} } = options.install
  await admin.setup.init({ type: options.databaseUrl ? 'postgres' : 'sqlite3' })
  await admin.setup.finish({
    language,
    siteName,
    siteUrl: data.site.url,
    contactEmail,
    adminName,
    adminEmail,
    adminPassword,
    loginRequired: isPrivate,
    extra,
  })
}
