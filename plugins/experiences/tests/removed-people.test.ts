import { startSite } from '@stoa/sdk/testing'
import { expect, it } from 'vitest'
import { listed, post, posted } from '../testing/index.ts'

it('lets the posts of somebody go who is deleted with all content, and no others', async () => {
  const site = await startSite({ plugins: ['experiences', 'tags'] })
  try {
    const [admin, eve, mallory] = [await site.admin(), await site.member('eve'), await site.member('mallory')]
    const kept = await posted(admin)
    const theirs = await posted(eve)
    const gone = await posted(mallory)
    const remove = (id: number, remove_all_content: boolean) =>
      admin.put('/answer/admin/api/user/status', { user_id: String(id), status: 'deleted', remove_all_content })
    expect((await remove(eve.id, false)).status).toBe(200)
    expect((await listed(site.visitor())).ids.sort()).toEqual([kept, theirs, gone].sort())
    expect((await remove(mallory.id, true)).status).toBe(200)
    expect((await listed(site.visitor())).ids.sort()).toEqual([kept, theirs].sort())
    expect((await site.visitor().get('/answer/api/v1/experience/info', { id: gone })).status).toBe(404)
    expect((await post(mallory)).status).toBe(401)
  } finally {
    await site.close()
  }
})
