import { expect, it } from 'vitest'
import { describeOnEach } from '../test-data.ts'
import { noPackage } from './plugin-states.ts'

describeOnEach('a database of a site from before slugs had owners', (store) => {
  it('learns which packages never took the place of what came with the site', async () => {
    const opened = await store()
    const before = await opened.open()
    const { ownsSlug: _, ...state } = noPackage
    const packages = {
      alone: { ...state, chosen: '1.1.0-aaaaaaaa', history: ['1.0.0-aaaaaaaa'] },
      'in-place': { ...state, chosen: '2.0.0-aaaaaaaa', history: [''] },
      judged: { ...state, judged: 'abc' },
    }
    await before.database.write(async (tx) => {
      for (const [slug, json] of Object.entries(packages))
        await tx
          .insertInto('kernel__plugin')
          .values({ slug, enabled: 1, reason: '', package: JSON.stringify(json) })
          .execute()
      await tx.schema.alterTable('kernel__plugin').dropColumn('owns_slug').execute()
      await tx.deleteFrom('kernel__migration').where('slug', '=', 'kernel').where('name', '=', '0008-names').execute()
    })
    await before.close()

    const stored = await (await opened.open()).plugins.load()
    expect([...stored.packages].map(([slug, { ownsSlug }]) => [slug, ownsSlug])).toEqual(
      expect.arrayContaining([
        ['alone', true],
        ['in-place', false],
        ['judged', false],
      ]),
    )
  })
})
