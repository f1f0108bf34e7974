import type { KernelState } from './kernel-state.ts'

/** Sets an empty site up as its configuration says. */
export async function installUnattended({ options, data, admin }: KernelState): Promise<void> {
  if (!options.install || data.site.installed) return
  const { siteName, language, adminName, adminEmail, adminPassword } = options.install
  await admin.setup.init({ type: options.databaseUrl ? 'postgres' : 'sqlite3' })
  await admin.setup.finish({
    language,
    siteName,
    siteUrl: data.site.url,
    contactEmail: adminEmail,
    adminName,
    adminEmail,
    adminPassword,
    loginRequired: false,
    extra: {},
  })
}
