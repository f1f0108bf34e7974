import { pluginCalls as calls } from '@stoa/sdk/administration'
import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import * as schemas from '../../sdk/administration/plugin-call-schemas.ts'
import type { Lifecycle } from '../kernel/lifecycle/lifecycle.ts'
import { MAX_ARCHIVE_BYTES } from '../kernel/packages/archive.ts'
import type { PackageStore } from '../kernel/packages/store.ts'
import type { Deciding } from './deciding.ts'

/** The calls that bring, take back and remove versions of plugins. */
export function packageCalls(lifecycle: () => Lifecycle, store: PackageStore, decided: Deciding): Route[] {
  return [
    route(calls.install, schemas.install, {
      access: 'admin',
      summary:
        'Takes a packed plugin (npm package, .tgz). One that runs is replaced, when the new version stands; another one is listed, off.',
      upload: { maxBytes: MAX_ARCHIVE_BYTES },
      handle: ({ file, person, language }) =>
        decided(person, language, async () => {
          const archive = file?.data ?? Buffer.alloc(0)
          const { manifest } = await store.received(archive, (path) => lifecycle().install(path, true))
          return { plugin_slug_name: manifest.slug, version: manifest.version }
        }),
    }),
    route(calls.rollback, schemas.rollback, {
      access: 'admin',
      summary: 'Goes back to the version of a plugin that ran before; to one in quarantine with `force` only.',
      handle: ({ body, person, language }) => decided(person, language, () => lifecycle().rollback(body.plugin_slug_name, body.force)),
    }),
    route(calls.remove, schemas.remove, {
      access: 'admin',
      summary: 'Removes an installed plugin, back to the version that comes with the site if there is one. Its data stays.',
      handle: ({ body, person, language }) => decided(person, language, () => lifecycle().remove(body.plugin_slug_name, body.confirm)),
    }),
    route(calls.eraseData, schemas.eraseData, {
      access: 'admin',
      summary: 'Deletes for good what a plugin has stored. Only while it is off.',
      handle: async ({ body }) => lifecycle().eraseData(body.plugin_slug_name),
    }),
    route(calls.safeMode, schemas.safeMode, {
      access: 'admin',
      summary: 'Runs nothing but what comes with the site, for everybody, until it is switched off again.',
      handle: ({ body, person, language }) => decided(person, language, () => lifecycle().setSafeMode(body.enabled)),
    }),
  ]
}
