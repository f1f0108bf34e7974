import { guard } from '@stoa/sdk/web'

/** Nobody registers where the owner has closed that. */
export default guard(({ site }) => (site.login?.allow_new_registrations === false ? { place: 'home' } : 'pass'))
