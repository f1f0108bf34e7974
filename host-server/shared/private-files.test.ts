import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { dumpDatabase } from '../data/db/dump.ts'
import { describeOnEach } from '../data/test-data.ts'

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
const everything = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => ({
    name: entry.name,
    right: entry.isDirectory() ? '700' : '600',
    found: mode(join(entry.parentPath, entry.name)),
  }))

describe.skipIf(process.platform === 'win32')('the files of a site', () => {
  describeOnEach('as the data layer makes them', (store) => {
    let folder = ''
    afterEach(() => chmodSync(folder, 0o700))

    it('are for their owner alone', async () => {
      const where = await store()
      folder = join(where.dataDir, 'new')
      const data = await where.open({ dataDir: folder })
      await data.storage.put('post/one.png', Buffer.from('one'), 'image/png')
      await data.mail.send({ to: 'ada@example.org', subject: 'Code', text: 'https://stoa.example/code' })
      await data.settled()
      await data.setup.init({ type: 'sqlite3', file: 'other/site.db' })
      if (where.dialect === 'sqlite') await dumpDatabase(data.readerConfig, join(folder, 'dump'))
      expect(mode(folder)).toBe('700')
      const made = everything(folder)
      expect(made.length).toBeGreaterThan(4)
      for (const { name, right, found } of made) expect(found, name).toBe(right)
      expect(where.logged.join('\n')).not.toContain('chmod')
    })

    it('that others may read are told of at each start, with the way to close them', async () => {
      const where = await store()
      folder = join(where.dataDir, 'old')
      mkdirSync(folder, { mode: 0o755 })
      await (await where.open({ dataDir: folder })).close()
      expect(where.logged).toContainEqual(expect.stringMatching(/^warn .*old has the mode 0755.*chmod -R go= ".*old"/))
      chmodSync(folder, 0o700)
      where.logged.length = 0
      await where.open({ dataDir: folder })
      expect(where.logged.join('\n')).not.toContain('chmod')
    })
  })
})
