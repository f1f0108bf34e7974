import { defineServerPlugin, kernelEvents, kernelHooks, route } from '@stoa/sdk/server'
import { staffLog } from '../../audit/shared/api.ts'
import { captchaDesk } from '../../captcha/shared/api.ts'
import { statistics } from '../../dashboard/shared/api.ts'
import { bins, markdown, renderedTexts, rendering, siteSettings, standing } from '../../site/shared/api.ts'
import { uploadedFiles } from '../../uploads/shared/api.ts'
import {
  accountCalls,
  centrePeople,
  confirmation,
  confirmers,
  passwords,
  people as peopleToken,
  personalData,
  reputation as reputationToken,
  signIn,
  signInMethods,
  userCentre,
  waysIn,
} from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { adminRoutes } from './admin-routes.ts'
import { createArchives } from './archives.ts'
import { checkReputation, correctReputation } from './check-reputation.ts'
import { refuseCommon } from './common-passwords.ts'
import { createConfirming } from './confirming.ts'
import { confirmingRoutes } from './confirming-routes.ts'
import { dataHolders } from './data-holders.ts'
import { createDepartures } from './departures.ts'
import { emailRoutes } from './email-routes.ts'
import { createBin } from './empty-bin.ts'
import { createErasures } from './erasures.ts'
import { createIdentities } from './identities.ts'
import { createLoginOrder } from './login-order.ts'
import { loginOrderRoutes } from './login-order-routes.ts'
import { loginRoutes } from './login-routes.ts'
import { createMailCodes } from './mail-codes.ts'
import { createMails } from './mails.ts'
import { neutralRoutes } from './neutral-routes.ts'
import { outsideRoutes } from './outside-routes.ts'
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
import { createBroker } from './sign-in-broker.ts'
import { memberStatistics } from './statistics.ts'
import { warnOfStranded } from './stranded.ts'
import { createSuspensions } from './suspensions.ts'
import { createCentre, createCentrePeople } from './user-centre.ts'
import { userCentreRoutes } from './user-centre-routes.ts'

const DAY = 86_400

export default defineServerPlugin({
  needs: { settings: siteSettings, markdown, rendering },
  wants: { log: staffLog, files: uploadedFiles, personalData, confirmers, waysIn, signInMethods, userCentre, desk: captchaDesk },
  provides: {
    people: peopleToken,
    reputation: reputationToken,
    standing,
    bin: bins,
    rendered: renderedTexts,
    personalData,
    confirmation,
    passwords,
    signIn,
    centrePeople,
    statistics,
  },
  activate({ settings, markdown, rendering, log, files, personalData, confirmers, waysIn, signInMethods, userCentre, desk }, ctx) {
    const order = createLoginOrder(ctx)
    const identities = createIdentities(ctx, signInMethods, order)
    const ways = identities.ways(waysIn)
    warnOfStranded(ctx, settings, ways)
    const profiles = createProfiles(ctx, markdown)
    ctx.jobs.every('accounts.checkReputation', DAY, async () => void (await checkReputation(ctx)))
    const mails = createMails(ctx)
    const people = createPeople(ctx, settings)
    const reputation = createReputation(ctx)
    const holders = () => dataHolders(personalData.current, files.current, log.current)
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
      confirming: createConfirming({ ctx, settings, profiles, mails, offered: confirmers, ways }),
      mails,
      holders,
      identities,
      archives,
      erasures,
      departures: createDepartures({ ctx, profiles, mails, erasures }),
      suspensions: createSuspensions({ ctx, profiles, mails, log }),
      log,
    }
    const broker = createBroker(tools)
    const centre = createCentre(ctx, identities, userCentre)
    const routes = [
      ...loginRoutes(tools, broker),
      ...outsideRoutes(tools, broker, order),
      ...loginOrderRoutes(ctx, identities, order),
      ...passwordRoutes(tools),
      ...emailRoutes(tools),
      ...confirmingRoutes(tools),
      ...profileRoutes(tools),
      ...privacyRoutes(tools),
      ...sessionRoutes(tools),
      ...peopleRoutes,
      ...adminRoutes(tools),
      ...neutralRoutes(desk),
      ...userCentreRoutes(tools, broker, centre),
      route.read(accountCalls.reputationCheck, schemas.reputationCheck, {
        access: 'admin',
        summary: 'Whose reputation is not what their records add up to, as of last night',
        read: reputationDifferences,
        params: () => ({}),
      }),
      route(accountCalls.correctReputation, schemas.correctReputation, {
        access: 'admin',
        summary: 'Makes these reputations what the records add up to',
        handle: async ({ person }) => {
          await correctReputation(ctx)
          await log.current?.record({ actorId: person.id, action: 'accounts.reputation_corrected' })
        },
      }),
    ]
    ctx.routes(centre.guard(routes))
    ctx.on(kernelHooks.installed, async ({ adminId, adminName, extra }) => {
      const admin = await ctx.host.credentials.find(adminId)
      const shown = typeof extra.display_name === 'string' ? extra.display_name : adminName
      if (admin) await profiles.create(admin, shown, { rank: 1, username: adminName })
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
      passwords: { refuseCommon },
      signIn: broker.service,
      centrePeople: createCentrePeople(tools),
      personalData: ownData(tools, archives),
      statistics: memberStatistics(ctx),
    }
  },
})
