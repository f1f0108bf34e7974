import { defineServerPlugin, kernelEvents, kernelHooks, route } from '@stoa/sdk/server'
import { bins, markdown, renderedTexts, rendering, siteSettings, standing } from '../../site/shared/api.ts'
import { uploadedFiles } from '../../uploads/shared/api.ts'
import { accountCalls, people as peopleToken, reputation as reputationToken } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { adminRoutes } from './admin-routes.ts'
import { checkReputation, correctReputation } from './check-reputation.ts'
import { emailRoutes } from './email-routes.ts'
import { createBin } from './empty-bin.ts'
import { loginRoutes } from './login-routes.ts'
import { createMailCodes } from './mail-codes.ts'
import { createMails } from './mails.ts'
import { neutralRoutes } from './neutral-routes.ts'
import { passwordRoutes } from './password-routes.ts'
import { createPeople } from './people.ts'
import { peopleRoutes } from './people-routes.ts'
import { profileRoutes } from './profile-routes.ts'
import { createProfiles } from './profiles.ts'
import { reputationDifferences } from './read-tokens.ts'
import { createRenderedProfiles } from './rendered-profiles.ts'
import { createReputation } from './reputation.ts'

const DAY = 86_400

export default defineServerPlugin({
  needs: { settings: siteSettings, markdown, rendering },
  wants: { files: uploadedFiles },
  provides: { people: peopleToken, reputation: reputationToken, standing, bin: bins, rendered: renderedTexts },
  activate({ settings, markdown, rendering, files }, ctx) {
    const profiles = createProfiles(ctx, markdown)
    ctx.jobs.every('accounts.checkReputation', DAY, async () => void (await checkReputation(ctx)))
    const mails = createMails(ctx)
    const people = createPeople(ctx, settings)
    const reputation = createReputation(ctx)
    const tools: AccountTools = {
      ctx,
      settings,
      rendering,
      profiles,
      people,
      reputation,
      files,
      codes: createMailCodes(ctx, profiles, mails),
      mails,
    }
    ctx.routes([
      ...loginRoutes(tools),
      ...passwordRoutes(tools),
      ...emailRoutes(tools),
      ...profileRoutes(tools),
      ...peopleRoutes,
      ...adminRoutes(tools),
      ...neutralRoutes,
      route.read(accountCalls.reputationCheck, schemas.reputationCheck, {
        access: 'admin',
        summary: 'Whose reputation is not what their records add up to, as of last night',
        read: reputationDifferences,
        params: () => ({}),
      }),
      route(accountCalls.correctReputation, schemas.correctReputation, {
        access: 'admin',
        summary: 'Makes these reputations what the records add up to',
        handle: () => correctReputation(ctx),
      }),
    ])
    ctx.on(kernelHooks.installed, async ({ adminId, adminName }) => {
      const admin = await ctx.host.credentials.find(adminId)
      if (admin) await profiles.create(admin, adminName, { rank: 1 })
    })
    ctx.on(
      kernelEvents.principalChanged,
      async ({ id }) => {
        const principal = await ctx.host.credentials.find(id)
        const profile = await profiles.find(id)
        const isSame =
          profile && principal && profile.state === principal.state && profile.role === principal.role && profile.email === principal.login
        if (principal && profile && !isSame) await profiles.follow(principal)
      },
      { whileOff: 'replay' },
    )
    return { people, reputation, standing: people, bin: createBin(tools), rendered: createRenderedProfiles(ctx) }
  },
})
