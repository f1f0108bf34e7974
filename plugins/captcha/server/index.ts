import { defineServerPlugin, route } from '@stoa/sdk/server'
import { captchaCalls, captchaDesk, captchaProvider } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import { createChallenges } from './challenges.ts'
import { createGate } from './gate.ts'

export default defineServerPlugin({
  wants: { provider: captchaProvider },
  provides: { desk: captchaDesk },
  activate({ provider }, ctx) {
    const capabilities = { ctx, provider }
    const challenges = createChallenges(capabilities)
    const { desk, challenge } = createGate(capabilities, challenges)
    ctx.routes([
      route(captchaCalls.challenge, schemas.challenge, {
        access: 'open',
        whileClosed: true,
        summary: 'A puzzle for a call that was refused without one; its code goes with the call, once',
        handle: async ({ body, person, ip, language }) => {
          const made = await challenge(body.method, body.path, { person, ip }, language)
          return {
            captcha_id: made?.id ?? '',
            captcha_img: made?.picture ?? '',
            captcha_sound: made?.sound ?? '',
            verify: made !== undefined,
            puzzle: made?.shown ?? null,
          }
        },
      }),
      route(captchaCalls.config, schemas.config, {
        access: 'open',
        summary: 'Which plugin makes puzzles, and what browsers need to know of it',
        handle: () => ({ slug_name: provider.current?.slug ?? '', config: provider.current?.config?.() ?? null }),
      }),
    ])
    return { desk }
  },
})
