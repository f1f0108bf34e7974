import { defineServerPlugin, kernelEvents, kernelHooks, route } from '@stoa/sdk/server'
import { bins, markdown, renderedTexts, rendering, siteSettings, standing } from '../../site/shared/api.ts'
import { uploadedFiles } from '../../uploads/shared/api.ts'
import {
  accountCalls,
  confirmation,
  confirmers,
  people as peopleToken,
  personalData,
  reputation as reputationToken,
  waysIn,
} from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { adminRoutes } from './admin-routes.ts'
import { createArchives } from './archives.ts'
import { checkReputation, correctReputation } from './check-reputation.ts'
import { createConfirming } from './confirming.ts'
import { confirmingRoutes } from './confirming-routes.ts'
import { dataHolders } from './data-holders.ts'
import { createDepartures } from './departures.ts'
import { emailRoutes } from './email-routes.ts'
import { createBin } from './empty-bin.ts'
import { createErasures } from './erasures.ts'
import { loginRoutes } from './login-routes.ts'
import { createMailCodes } from './mail-codes.ts'
import { createMails } from './mails.ts'
import { neutralRoutes } from './neutral-routes.ts'
import { ownData } from './own-data.ts'
import { passwordRoutes } from './password-routes.ts'
import { createPeople } from './people.ts'
import { peopleRoutes } from './people-routes.ts'
import { privacyRoutes } from './privacy-routes.ts'
import { profileRoutes } from './profile-routes.ts'
import { createProfiles } from './profiles.ts'
import { reputationDifferences } from './read-tokens.ts'
import { createRenderedProfiles } from './rendered-profiles.ts'
import { createReputation } from './reputation.ts'
import { sessionRoutes } from './session-routes.ts'

const DAY = 86_400

export default defineServerPlugin({
  needs: { settings: siteSettings, markdown, rendering },
  wants: { files: uploadedFiles, personalData, confirmers, waysIn },
  provides: {
    people: peopleToken,
    reputation: reputationToken,
    standing,
    bin: bins,
    rendered: renderedTexts,
    personalData,
    confirmation,
  },
  activate({ settings, markdown, rendering, files, personalData, confirmers, waysIn }, ctx) {
    const profiles = createProfiles(ctx, markdown)
    ctx.jobs.every('accounts.checkReputation', DAY, async () => void (await checkReputation(ctx)))
    const mails = createMails(ctx)
    const people = createPeople(ctx, settings)
    const reputation = createReputation(ctx)
    const holders = () => dataHolders(personalData.current, files.current)
    const archives = createArchives({ ctx, profiles, mails, holders })
    const erasures = createErasures({ ctx, profiles, files, holders })
    const tools: AccountTools = {
      ctx,
      settings,
      rendering,
      profiles,
      people,
      reputation,
      files,
      codes: createMailCodes(ctx, profiles, mails),
      confirming: createConfirming({ ctx, settings, profiles, mails, offered: confirmers, ways: waysIn }),
      mails,
      holders,
      archives,
      erasures,
      departures: createDepartures({ ctx, profiles, mails, erasures }),
    }
    ctx.routes([
      ...loginRoutes(tools),
      ...passwordRoutes(tools),
      ...emailRoutes(tools),
      ...confirmingRoutes(tools),
      ...profileRoutes(tools),
      ...privacyRoutes(tools),
      ...sessionRoutes(tools),
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
    return {
      people,
      reputation,
      standing: people,
      bin: createBin(tools),
      rendered: createRenderedProfiles(ctx),
      confirmation: tools.confirming.service,
      personalData: ownData(tools, archives),
    }
  },
})
