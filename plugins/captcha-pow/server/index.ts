import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { defineServerPlugin } from '@stoa/sdk/server'
import { captchaProvider } from '../../captcha/shared/api.ts'
import type { Work } from '../shared/puzzle.ts'

const digest = (salt: string, number: string): string => createHash('sha256').update(`${salt}${number}`).digest('hex')

export default defineServerPlugin({
  provides: { provider: captchaProvider },
  activate(_, ctx) {
    return {
      provider: {
        slug: ctx.plugin.slug,
        async create() {
          const maxnumber = Number(ctx.plugin.settings.get<{ work: string }>().work)
          const salt = randomBytes(16).toString('hex')
          const challenge = digest(salt, String(randomInt(maxnumber + 1)))
          const shown: Work = { algorithm: 'SHA-256', challenge, salt, maxnumber }
          return { shown, answer: JSON.stringify({ challenge, salt }) }
        },
        async verify(answer, code) {
          const { challenge, salt } = JSON.parse(answer) as Pick<Work, 'challenge' | 'salt'>
          return /^\d{1,9}$/.test(code) && timingSafeEqual(Buffer.from(digest(salt, code)), Buffer.from(challenge))
        },
      },
    }
  },
})
