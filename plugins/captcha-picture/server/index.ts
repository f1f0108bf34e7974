import { randomInt } from 'node:crypto'
import { defineServerPlugin } from '@stoa/sdk/server'
import { captchaProvider } from '../../captcha/shared/api.ts'
import { draw } from './picture.ts'
import { speak } from './sound.ts'

const LONGEST_CODE = 40
const base64 = (type: string, content: string | Buffer) => `data:${type};base64,${Buffer.from(content).toString('base64')}`

export default defineServerPlugin({
  provides: { provider: captchaProvider },
  activate(_, ctx) {
    return {
      provider: {
        slug: ctx.plugin.slug,
        async create({ language }) {
          const length = Number(ctx.plugin.settings.get<{ digits: string }>().digits)
          const answer = Array.from({ length }, () => randomInt(10)).join('')
          return { picture: base64('image/svg+xml', draw(answer)), sound: base64('audio/wav', speak(answer, language)), answer }
        },
        async verify(answer, code) {
          return code.length <= LONGEST_CODE && code.normalize('NFKC').replace(/\s+/g, '') === answer
        },
      },
    }
  },
})
