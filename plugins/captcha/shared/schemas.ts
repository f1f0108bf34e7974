import { Type } from '@stoa/sdk/schema'

/** As the protocol has it; empty texts where nothing is asked. */
export const record = Type.Object({ captcha_id: Type.String(), captcha_img: Type.String(), verify: Type.Boolean() })

export const challenge = {
  body: Type.Object({ method: Type.String({ maxLength: 10 }), path: Type.String({ maxLength: 200 }) }),
  reply: Type.Object({
    captcha_id: Type.String(),
    /** Data URI; empty where the puzzle is no picture. */
    captcha_img: Type.String(),
    /** Data URI of the same puzzle to listen to; empty where there is none. */
    captcha_sound: Type.String(),
    /** False: the call may be sent as it is. */
    verify: Type.Boolean(),
    /** For the widget of the plugin that made it. */
    puzzle: Type.Unknown(),
  }),
}

export const config = { reply: Type.Object({ slug_name: Type.String(), config: Type.Unknown() }) }
