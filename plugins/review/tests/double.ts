import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A reviewer that does what a text tells it to, and remembers what it was told of decisions. */
const files = {
  'plugin.json': JSON.stringify({
    slug: 'double',
    version: '1.0.0',
    type: 'reviewer',
    sdk: '^1.1.0',
    provides: { 'review.reviewers': '1.0.0' },
  }),
  'server.cjs': `
    const { Type, route, services } = require('@stoa/sdk/server')
    module.exports.default = {
      provides: { reviewer: services('review.reviewers') },
      activate(_, ctx) {
        const decided = []
        ctx.routes([route({ method: 'GET', path: '/double/decided', access: 'open', summary: 'x', reply: Type.Unknown(), handle: () => decided })])
        return { reviewer: {
          id: 'double',
          name: 'Double',
          async review({ content }, author, signal) {
            if (content.includes('HANG')) return new Promise(() => {})
            if (content.includes('THROW')) throw new Error('down')
            if (content.includes('HOLD')) return { verdict: 'wait', reason: { text: 'Looks odd' } }
            if (content.includes('BURN')) return { verdict: 'reject', reason: { text: 'Is spam' } }
            return { verdict: 'approve' }
          },
          async decided(text, isApproved) { decided.push({ ...text, isApproved }) },
        } }
      },
    }`,
}

/** Writes it into a folder of plugins. */
export function doubleFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-double-'))
  mkdirSync(join(folder, 'double'), { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'double', name), content)
  return folder
}
