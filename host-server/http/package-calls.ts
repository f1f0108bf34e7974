import type { Route } from '@stoa/sdk/server'
import { protocol, route, Type } from '@stoa/sdk/server'
import type { Lifecycle } from '../kernel/lifecycle/lifecycle.ts'
import { MAX_ARCHIVE_BYTES } from '../kernel/packages/archive.ts'
import type { PackageStore } from '../kernel/packages/store.ts'

const slugBody = Type.Object({ plugin_slug_name: Type.String({ minLength: 1, maxLength: 64 }) })

/** The calls that bring, take back and remove versions of plugins. */
export function packageCalls(lifecycle: () => Lifecycle, store: PackageStore): Route[] {
  return [
    route({
      method: 'POST',
      path: `${protocol.admin}/plugin/install`,
      access: 'admin',
      summary:
        'Takes a packed plugin (npm package, .tgz). One that runs is replaced, when the new version stands; another one is listed, off.',
      upload: { maxBytes: MAX_ARCHIVE_BYTES },
      body: Type.Object({ file: Type.String({ format: 'binary' }) }),
      reply: Type.Object({ plugin_slug_name: Type.String(), version: Type.String() }),
      async handle({ file }) {
        const archive = file?.data ?? Buffer.alloc(0)
        const { manifest } = await store.received(archive, (path) => lifecycle().install(path, true))
        return { plugin_slug_name: manifest.slug, version: manifest.version }
      },
    }),
    route({
      method: 'POST',
      path: `${protocol.admin}/plugin/rollback`,
      access: 'admin',
      summary: 'Goes back to the version of a plugin that ran before; to one in quarantine with `force` only.',
      body: Type.Object({ ...slugBody.properties, force: Type.Optional(Type.Boolean()) }),
      reply: Type.Null(),
      handle: async ({ body }) => lifecycle().rollback(body.plugin_slug_name, body.force),
    }),
    route({
      method: 'DELETE',
      path: `${protocol.admin}/plugin`,
      access: 'admin',
      summary: 'Removes an installed plugin, back to the version that comes with the site if there is one. Its data stays.',
      body: Type.Object({ ...slugBody.properties, confirm: Type.Optional(Type.Integer()) }),
      reply: Type.Null(),
      handle: async ({ body }) => lifecycle().remove(body.plugin_slug_name, body.confirm),
    }),
    route({
      method: 'DELETE',
      path: `${protocol.admin}/plugin/data`,
      access: 'admin',
      summary: 'Deletes for good what a plugin has stored. Only while it is off.',
      body: slugBody,
      reply: Type.Null(),
      handle: async ({ body }) => lifecycle().eraseData(body.plugin_slug_name),
    }),
    route({
      method: 'PUT',
      path: `${protocol.admin}/plugin/safe-mode`,
      access: 'admin',
      summary: 'Runs nothing but what comes with the site, for everybody, until it is switched off again.',
      body: Type.Object({ enabled: Type.Boolean() }),
      reply: Type.Null(),
      handle: async ({ body }) => lifecycle().setSafeMode(body.enabled),
    }),
  ]
}
