import { tap, webHooks } from '@stoa/sdk/web'

/** What somebody chooses for the page, such as in its footer, is kept with their account: their other devices follow. */
export default tap(webHooks.preferencesChanged, async ({ chosen }, { api, login, session }) => {
  const { person, isNormal } = login()
  if (!chosen || !person || !isNormal) return
  const kept = { language: person.language || 'Default', color_scheme: person.color_scheme || 'default' }
  const wanted = { language: chosen.language ?? kept.language, color_scheme: chosen.scheme ?? kept.color_scheme }
  if (wanted.language === kept.language && wanted.color_scheme === kept.color_scheme) return
  await api.put('/answer/api/v1/user/interface', wanted, { passingError: true, ignoreServerError: true })
  await session.refresh()
})
