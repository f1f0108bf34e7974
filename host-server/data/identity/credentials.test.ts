import { roles } from '@stoa/sdk/server'
import { afterAll, expect, it, vi } from 'vitest'
import type { KernelData } from '../index.ts'

// The real one, counted: for modules of this file alone, since others run in the same process.
vi.resetModules()
vi.doMock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  return { ...real, verify: vi.fn(real.verify) }
})
const { verify } = await import('@node-rs/argon2')
const { describeOnEach } = await import('../test-data.ts')
afterAll(() => {
  vi.doUnmock('@node-rs/argon2')
  vi.resetModules()
})

const ada = { login: 'Ada@Example.org', password: 'analytical' }

describeOnEach('credentials', (store) => {
  it('know a person by address in any case, and by password', async () => {
    const data = await (await store()).open()
    const person = await data.credentials.create(ada)
    expect(person).toMatchObject({ id: 1, login: 'ada@example.org', role: roles.user, state: 'normal', hasPassword: true })
    expect(await data.credentials.verify('ADA@example.org', 'analytical')).toEqual(person)
    expect(await data.credentials.verify('ada@example.org', 'Analytical')).toBeUndefined()
    expect(await data.credentials.verify('nobody@example.org', 'analytical')).toBeUndefined()
    expect(await data.credentials.checkPassword(person.id, 'analytical')).toBe(true)
    expect(await data.credentials.findByLogin('ada@EXAMPLE.org')).toEqual(person)
    expect(await data.credentials.find(99)).toBeUndefined()
  })

  it('store neither passwords nor tokens', async () => {
    const data = await (await store()).open()
    const { id } = await data.credentials.create(ada)
    const { token, visitToken } = await data.credentials.openSession(id)
    const db = data.database.query
    const stored = JSON.stringify([
      await db.selectFrom('kernel__principal').select('password_hash').execute(),
      await db.selectFrom('kernel__session').select(['token_hash', 'visit_hash']).execute(),
    ])
    expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
    for (const secret of [ada.password, token, visitToken]) expect(stored).not.toContain(secret)
  })

  it('cost one hashing whoever is named, somebody deleted and nobody at all too', async () => {
    const data = await (await store()).open()
    await data.credentials.create(ada)
    const gone = await data.credentials.create({ login: 'gone@example.org', password: 'analytical' })
    await data.credentials.erase(gone.id)
    for (const login of [ada.login, 'gone@example.org', `deleted-${gone.id}`, 'nobody@example.org', '\u0000']) {
      for (const tried of [
        () => data.credentials.signIn({ login, password: 'Wrong12345', ip: '192.0.2.1' }),
        () => data.credentials.verify(login, 'Wrong12345'),
      ]) {
        vi.mocked(verify).mockClear()
        await tried()
        expect(verify, `${login} ${tried}`).toHaveBeenCalledOnce()
      }
    }
  })

  it('refuse a second person with the same address', async () => {
    const data = await (await store()).open()
    await data.credentials.create(ada)
    await expect(data.credentials.create({ login: 'ada@example.org' })).rejects.toThrow(/unique/i)
  })

  it('list people by role', async () => {
    const data = await (await store()).open()
    const { id } = await data.credentials.create(ada)
    await data.credentials.create({ login: 'b@example.org' })
    await data.credentials.setRole(id, roles.moderator)
    expect((await data.credentials.withRole(roles.moderator)).map((person) => person.id)).toEqual([id])
  })
})

describeOnEach('a session', (store) => {
  async function loggedIn(data: KernelData) {
    const { id } = await data.credentials.create(ada)
    const session = await data.credentials.openSession(id)
    const person = async () => (await data.credentials.authenticate(session.token))?.person
    expect(await person()).toEqual({ id, role: roles.user, state: 'normal' })
    return { id, ...session, person }
  }

  it('is known by either token, but not by one in place of the other', async () => {
    const data = await (await store()).open()
    const { id, token, visitToken } = await loggedIn(data)
    expect(await data.credentials.authenticate(token)).toMatchObject({ person: { id }, token, visitToken })
    expect(await data.credentials.authenticateVisit(visitToken)).toMatchObject({ id })
    expect(await data.credentials.authenticate(visitToken)).toBeNull()
    expect(await data.credentials.authenticateVisit(token)).toBeNull()
    for (const wrong of ['', 'x', 'x'.repeat(43), "' or 1=1 --"]) expect(await data.credentials.authenticate(wrong)).toBeNull()
  })

  it('shows a new state and role as soon as they are committed, and not before', async () => {
    const data = await (await store()).open()
    const { id, person } = await loggedIn(data)
    await data.database.write(async () => {
      await data.credentials.setState(id, 'suspended')
      expect(await person()).toMatchObject({ state: 'normal' })
    })
    expect(await person()).toMatchObject({ state: 'suspended' })
    await data.credentials.setRole(id, roles.admin)
    expect(await person()).toMatchObject({ role: roles.admin })
    await data.database
      .write(async () => {
        await data.credentials.setState(id, 'normal')
        throw new Error('no')
      })
      .catch(() => {})
    expect(await person()).toMatchObject({ state: 'suspended' })
  })

  it('tells others of a change', async () => {
    const data = await (await store()).open()
    const { id } = await loggedIn(data)
    const changed: number[] = []
    await data.outbox.subscribe('notes', 'people', 'kernel.principalChanged', {}, (event: { id: number }) => void changed.push(event.id))
      .ready
    await data.credentials.setState(id, 'inactive')
    await data.settled()
    expect(changed).toEqual([id])
  })

  it('ends when it is closed, all but one when the others are, and all with the person', async () => {
    const data = await (await store()).open()
    const { id, token, person } = await loggedIn(data)
    const other = await data.credentials.openSession(id)
    const isOpen = async (text: string) => (await data.credentials.authenticate(text)) !== null
    expect(await isOpen(other.token)).toBe(true)
    await data.credentials.closeSessions(id, token)
    expect([await isOpen(token), await isOpen(other.token)]).toEqual([true, false])
    await data.credentials.closeSession(token)
    expect(await person()).toBeUndefined()
    const last = await data.credentials.openSession(id)
    expect(await isOpen(last.token)).toBe(true)
    await data.credentials.setState(id, 'deleted')
    expect(await isOpen(last.token)).toBe(false)
    expect([await data.credentials.isOfDeleted(last.token), await data.credentials.isOfDeleted(other.token)]).toEqual([true, false])
    expect(await data.credentials.verify(ada.login, ada.password)).toBeUndefined()
    await data.credentials.setState(id, 'normal')
    expect(await isOpen(last.token)).toBe(false)
  })

  it('ends after seven days', async () => {
    const there = await store()
    const data = await there.open()
    const { person } = await loggedIn(data)
    there.time += 7 * 24 * 3600 - 1
    expect(await person()).toBeDefined()
    there.time += 1
    expect(await person()).toBeUndefined()
    await data.credentials.sessions.deleteExpired()
    expect(await data.database.query.selectFrom('kernel__session').select('token_hash').execute()).toEqual([])
  })
})

describeOnEach(
  'on another node, a session',
  (store) => {
    it('follows a change', async () => {
      const there = await store()
      const [one, other] = [await there.open(), await there.open()]
      const { id } = await one.credentials.create(ada)
      const { token } = await one.credentials.openSession(id)
      expect((await other.credentials.authenticate(token))?.person.state).toBe('normal')
      await one.credentials.setState(id, 'suspended')
      await expect.poll(async () => (await other.credentials.authenticate(token))?.person.state, { timeout: 6000 }).toBe('suspended')
    })
  },
  'postgres',
)
