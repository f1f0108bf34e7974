import { defineServerPlugin } from '@stoa/sdk/server'
import { people, personalData } from '../../accounts/shared/api.ts'
import { followable, follows } from '../shared/api.ts'
import { followPeople } from './follow-people.ts'
import { createFollowKeeper } from './keep-follows.ts'
import { personalFollows } from './personal-data.ts'
import { followRoutes } from './routes.ts'
import { createFollows } from './service.ts'

export default defineServerPlugin({
  wants: { objects: followable, people },
  provides: { follows, personalData },
  activate({ objects, people }, ctx) {
    const keeper = createFollowKeeper({ ctx, objects, people })
    ctx.routes(followRoutes({ ctx }, keeper))
    followPeople({ ctx }, keeper)
    return { follows: createFollows({ ctx }, keeper), personalData: personalFollows({ ctx }, keeper) }
  },
})
