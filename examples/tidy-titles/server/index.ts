import { experienceHooks } from '@stoa/plugin-experiences/api'
import { fieldErrors } from '@stoa/sdk'
import { defineServerPlugin } from '@stoa/sdk/server'
import { shouts, tidy } from './titles.ts'

export default defineServerPlugin({
  activate(_, ctx) {
    ctx.on(experienceHooks.beforePublish, (draft) => {
      const { refuse_capitals } = ctx.plugin.settings.get<{ refuse_capitals: boolean }>()
      if (refuse_capitals && shouts(draft.title)) throw fieldErrors({ title: 'tidy_titles.shouting' })
      return { ...draft, title: tidy(draft.title) }
    })
  },
})
