import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toyFiles } from '../../../host-server/tests/toys.ts'

export const HOSTILE = '</a></td><script>alert(1)</script><img src=x onerror=alert(1)>"\'&amp; {{name}}\r\nBcc: all@example.org\u202e'

/** A plugin whose things people are told of: thing 1 has a hostile title and text. */
const teller = {
  manifest: {
    sdk: '^1.1.0',
    wants: { 'notifications.notices': '^1.0.0', 'notifications.channels': '^1.0.0' },
    contributes: {
      'notifications.kinds': [
        { name: 'teller.now', text: 'said something', list: 'inbox', label: 'x', usual: 'immediately' },
        { name: 'teller.daily', text: 'said something', list: 'inbox', label: 'x', usual: 'daily', gathers: 'never' },
        { name: 'teller.weekly', text: 'said something', list: 'inbox', label: 'x', usual: 'weekly', gathers: 'never' },
        { name: 'teller.post', text: 'posted', label: 'x', usual: 'immediately', source: 'all_new_experience' },
      ],
    },
  },
  members: `wants: { notices: service('notifications.notices'), channels: services('notifications.channels') },`,
  activate: `
    const { notices, channels } = arguments[0]
    ctx.routes([route({ method: 'POST', path: '/teller/take', access: 'open', summary: 'x', reply: Type.Unknown(), body: Type.Unknown(),
      handle: ({ body }) => ctx.db.write(() => channels.current[0].service.take(body)) }),
      route({ method: 'POST', path: '/teller/tell', access: 'open', summary: 'x', reply: Type.Unknown(),
      body: Type.Object({ kind: Type.String(), to: Type.Array(Type.Integer()), from: Type.Integer(), to_n: Type.Integer() }),
      handle: ({ body: { kind, to, from, to_n } }) => ctx.db.write(async () => {
        for (let n = from; n <= to_n; n++) await notices.current.tell({ kind, to, actorId: 1, key: String(n), object: { kind: 'thing', n } })
      }) })])`,
  reads: `const { decorating, decorator } = require('@stoa/sdk/server')
    module.exports.default = { decorators: [decorating(decorator('notifications.objects'), async (ctx, items) => {
      for (const item of items) if (item.kind === 'thing') item.view = { id: String(item.n), type: 'thing', title: item.n === 1 ? ${JSON.stringify(HOSTILE)} : 'Thing ' + item.n,
        excerpt: item.n === 1 ? ${JSON.stringify(HOSTILE)} : 'Words of ' + item.n, path: '/things/' + item.n, map: {}, authorId: 0, isShown: true }
    })] }`,
}

/** Writes it into a folder of plugins. */
export function tellerFolder(folder = mkdtempSync(join(tmpdir(), 'stoa-teller-'))): string {
  mkdirSync(join(folder, 'teller'), { recursive: true })
  for (const [name, content] of Object.entries(toyFiles('teller', teller))) writeFileSync(join(folder, 'teller', name), content)
  return folder
}
