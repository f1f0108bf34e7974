import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import type { KernelData } from '../index.ts'
import { describeOnEach, withNotes } from '../test-data.ts'
import { SharedCommits } from './shared-commits.ts'
import type { SqliteReader } from './sqlite.ts'
import { openSqliteReader } from './sqlite.ts'

const TEXT = { table: 'notes__note', columns: ['text'] }
const [WRITES_TEXT, WRITES_ANOTHER] = ['update notes__note set text = text', 'update notes__note set id = id']

describe('commits that are announced', () => {
  it('are the last of what they wrote, unless a later one is about to be', () => {
    const commits = new SharedCommits()
    commits.announce(5, ['notes__note.text'])
    commits.announce(6, ['notes__note.id'])
    expect(commits.lastOf(TEXT, 6)).toBe(5)
    commits.announce(7, ['notes__note'])
    expect([commits.lastOf(TEXT, 6), commits.lastOf(TEXT, 7)]).toEqual([undefined, 7])
    commits.announce(8, ['*'])
    expect(commits.lastOf({ table: 'another', columns: [] }, 8)).toBe(8)
  })

  it('are known to be the own ones, but for those that were taken back and those of long ago', () => {
    const commits = new SharedCommits()
    for (let n = 1; n <= 300; n++) commits.announce(n, [])
    expect([commits.areOwn(298, 300), commits.areOwn(300, 300), commits.areOwn(300, 301), commits.areOwn(1, 300)]).toEqual([
      true,
      true,
      false,
      false,
    ])
    commits.announce(301, [])()
    expect(commits.areOwn(300, 301)).toBe(false)
  })

  it('have numbers of more than 32 bits', () => {
    const commits = new SharedCommits()
    const many = 2 ** 31 - 1
    for (let n = many; n < many + 3; n++) commits.announce(n, ['notes__note.text'])
    expect([commits.areOwn(many, many + 2), commits.lastOf(TEXT, many + 2)]).toEqual([true, many + 2])
  })
})

describeOnEach(
  'a reader in a thread of its own',
  (store) => {
    let reader: SqliteReader
    afterEach(() => reader.close())

    async function opened() {
      const where = await store()
      const data = await where.open()
      await withNotes(data)
      const config = data.readerConfig as { file: string; commits: SharedArrayBuffer }
      reader = openSqliteReader(config.file, { commits: new SharedCommits(config.commits) })
      reader.versionOf(TEXT)
      return { where, data }
    }
    const write = ({ database }: KernelData, ...statements: string[]) =>
      database.ofPlugins.write(async (tx) => {
        for (const statement of statements) await sql.raw(statement).execute(tx)
      })
    /** What differs afterwards: the version of all, and of the column. */
    async function changed(work: () => Promise<unknown>): Promise<[all: boolean, text: boolean]> {
      const [all, text] = [reader.version(), reader.versionOf(TEXT)]
      await work()
      return [reader.version() !== all, reader.versionOf(TEXT) !== text]
    }

    it('sees which columns the site has written', async () => {
      const { data } = await opened()
      expect(await changed(() => write(data, WRITES_ANOTHER))).toEqual([true, false])
      expect(await changed(() => write(data, WRITES_ANOTHER, WRITES_TEXT))).toEqual([true, true])
      expect(await changed(() => write(data, `insert into notes__note (text) values ('a')`))).toEqual([true, true])
      expect(await changed(() => write(data, WRITES_TEXT, 'nonsense').catch(() => {}))).toEqual([false, false])
      expect(await changed(() => write(data, WRITES_ANOTHER))).toEqual([true, false])
    })

    it('takes what another process has written for everything', async () => {
      const { where, data } = await opened()
      const other = await where.open({ passive: true })
      expect(await changed(() => write(other, WRITES_ANOTHER))).toEqual([true, true])
      const both = async () => {
        await write(other, WRITES_ANOTHER)
        await write(data, WRITES_ANOTHER)
      }
      expect(await changed(both)).toEqual([true, true])
      expect(await changed(() => write(data, WRITES_ANOTHER))).toEqual([true, false])
    })

    it('stays with what it holds until it lets go', async () => {
      const { data } = await opened()
      reader.hold()
      const [all, text] = [reader.version(), reader.versionOf(TEXT)]
      await write(data, WRITES_TEXT)
      // What is read now may not be remembered for those who see the commit.
      expect([reader.version(), reader.versionOf(TEXT)]).toEqual([all, undefined])
      reader.release()
      reader.hold()
      expect([reader.version(), reader.versionOf(TEXT)]).not.toContain(undefined)
      expect([reader.version() === all, reader.versionOf(TEXT) === text]).toEqual([false, false])
      reader.release()
    })
  },
  'sqlite',
)
