import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { pluginFolders } from '../../host-server/cli/site-folders.ts'
import everything from '../../rspack.config.ts'

it('the configuration of the repository has both halves of core and of every plugin and the server, each once', async () => {
  const having = (files: string) => pluginFolders().filter((folder) => globSync(files, { cwd: folder }).length > 0)
  const names = (await everything(undefined)).map(({ name }) => name)
  const expected = [
    'core (web)',
    'core (node)',
    'host',
    ...having('web/*.tsx').map((folder) => `${basename(folder)} (web)`),
    ...having('server/index.ts').map((folder) => `${basename(folder)} (server)`),
  ]
  expect(names.toSorted()).toEqual(expected.toSorted())
})
