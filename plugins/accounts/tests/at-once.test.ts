import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const path = '/answer/api/v1/user/register/email'
const fifty = Array.from({ length: 50 }, (_, index) => index)

describe('many registrations at once', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
  })
  afterAll(() => site.close())

  const register = (name: string, address: string) =>
    site.visitor().post<{ username: string }>(path, { name, e_mail: address, pass: 'Correct horse 7' })

  it('with one address make one account; the others are told at the field', async () => {
    const replies = await Promise.all(fifty.map((index) => register(`Somebody ${index}`, 'one@example.org')))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status, reason }) => `${status} ${reason}`))).toEqual(new Set(['400 error.email.duplicate']))
    expect(refused[0]?.data).toMatchObject([{ error_field: 'e_mail' }])
    expect(site.errors).toEqual([])
  })

  it('under one name give each a username of its own', async () => {
    const replies = await Promise.all(fifty.map((index) => register('Quick Fox', `fox${index}@example.org`)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const names = replies.map(({ data }) => data.username)
    expect(new Set(names).size).toBe(fifty.length)
    expect(names).toContain('quick-fox')
    expect(site.errors).toEqual([])
  })

  it('and changes to one name: one has it, the others are told at the field', async () => {
    const people = await Promise.all(['ada', 'bea', 'cid', 'dot', 'eve'].map((name) => site.member(name)))
    const replies = await Promise.all(people.map((person) => person.put('/answer/api/v1/user/info', { username: 'wanted' })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, reason, data } of replies) {
      if (status === 200) continue
      expect({ status, reason }).toEqual({ status: 400, reason: 'error.user.username_duplicate' })
      expect(data).toMatchObject([{ error_field: 'username' }])
    }
    expect(site.errors).toEqual([])
  })
})
