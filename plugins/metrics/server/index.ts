import { baseErrors, call } from '@stoa/sdk'
import { Type } from '@stoa/sdk/schema'
import { defineServerPlugin, route } from '@stoa/sdk/server'
import { createCollector } from './collector.ts'
import { mayRead } from './may-read.ts'

const reply = Type.String()

export default defineServerPlugin({
  activate(_, ctx) {
    const { measures } = ctx.host
    const collector = createCollector(measures)
    ctx.plugin.own(collector.end)
    ctx.routes([
      route(
        call.get<{ reply: typeof reply }>('/metrics'),
        { reply },
        {
          access: 'open',
          summary: 'Where the time of the site goes, in the Prometheus text form',
          raw: collector.type,
          async handle(request) {
            if (!mayRead(request, ctx.plugin.settings.get<{ token: string }>().token)) throw baseErrors.route_not_found()
            return await collector.text()
          },
        },
      ),
    ])
  },
})
