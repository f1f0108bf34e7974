import { service } from '@stoa/sdk'

/** What we use of the service `accounts.people`. Tokens are matched by id, so a copy of the part that is needed will do. */
interface People {
  card(id: number): Promise<{ username: string; display_name: string } | undefined>
}

export const people = service<People>('accounts.people')
