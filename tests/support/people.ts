import { usePersonMaker } from '@stoa/sdk/testing'
import { makePerson } from '../../plugins/accounts/testing/index.ts'

/** People of tests are made by whoever keeps their profiles, where that plugin is on. */
// biome-ignore lint/correctness/useHookAtTopLevel: no hook of React
usePersonMaker(async (site, wish) => {
  if (site.plugins.list().some((row) => row.slug === 'accounts' && row.state === 'on')) await makePerson(site, wish)
})
