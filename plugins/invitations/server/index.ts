import { defineServerPlugin } from '@stoa/sdk/server'
import { accountHooks, people, personalData } from '../../accounts/shared/api.ts'
import { posts } from '../../experiences/shared/api.ts'
import { notices } from '../../notifications/shared/api.ts'
import { permissions } from '../../site/shared/api.ts'
import { invitationEvents } from '../shared/api.ts'
import { forgetPerson } from './invite.ts'
import { personalInvitations } from './personal-data.ts'
import { invitationRoutes } from './routes.ts'

export default defineServerPlugin({
  needs: { posts, people, permissions },
  wants: { notices },
  provides: { personalData },
  activate({ posts, people, permissions, notices }, ctx) {
    ctx.routes(invitationRoutes({ ctx, posts, people, permissions }))
    ctx.on(invitationEvents.invited, async ({ experience, personId, byId }) => {
      const object = { kind: 'experience', n: experience }
      await notices.current?.tell({ kind: 'invitations.invited', to: [personId], actorId: byId, key: `${experience}`, object })
    })
    ctx.on(accountHooks.removeContent, (personId) => forgetPerson({ ctx }, personId))
    return { personalData: personalInvitations(ctx) }
  },
})
