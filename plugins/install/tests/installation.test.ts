import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const info = {
  lang: 'zh_CN',
  site_name: '旅人',
  site_url: 'https://travellers.example',
  contact_email: 'hello@example.org',
  name: 'owner',
  password: 'correct horse 7',
  email: 'owner@example.org',
  external_content_display: 'always_display',
}

describe('the installation', () => {
  let site: Site
  const post = (path: string, body: unknown = {}) => site.visitor().post(`/installation/${path}`, body)
  const database = () => ({ db_type: site.database === 'postgres' ? 'postgres' : 'sqlite3' })
  const wrong = async (changes: object) => {
    const { status, data } = await post('base-info', { ...info, ...changes })
    expect(status).toBe(400)
    return (data as { error_field: string }[]).map(({ error_field }) => error_field)
  }

  beforeAll(async () => {
    site = await startSite({ empty: true })
  })
  afterAll(() => site?.close())

  it('says how far it has come, before any question', async () => {
    const { status, data } = await post('config-file/check')
    expect(status).toBe(200)
    expect(data).toMatchObject({ db_table_exist: false })
  })

  it('offers the languages that are there, each with its texts', async () => {
    const { data } = await site.visitor().get('/installation/language/options')
    expect(data.map(({ value }: { value: string }) => value).sort()).toEqual(['en_US', 'zh_CN'])
    expect((await site.visitor().get('/installation/language/config', { lang: 'zh_CN' })).data.ui).toHaveProperty('install')
    expect((await site.visitor().get('/installation/language/config', { lang: 'xx_XX' })).status).toBe(400)
  })

  it('tries a database before it takes it, and takes none that does not answer', async () => {
    const { status, reason } = await post('db/check', {
      db_type: 'postgres',
      db_host: '127.0.0.1:1',
      db_username: 'nobody',
      db_name: 'nothing',
    })
    expect([status, reason]).toEqual([400, 'error.database.connection_failed'])
    expect((await post('db/check', { db_type: 'oracle' })).status).toBe(400)
  })

  it('creates the tables, once and again without harm', async () => {
    expect((await post('init', database())).status).toBe(200)
    expect((await post('init', database())).status).toBe(200)
  })

  it('names the field that is wrong, and stores nothing', async () => {
    expect(await wrong({ site_name: '' })).toEqual(['site_name'])
    expect(await wrong({ site_url: 'ftp://example.org' })).toEqual(['site_url'])
    expect(await wrong({ contact_email: 'nobody' })).toEqual(['contact_email'])
    expect(await wrong({ name: 'a b' })).toEqual(['name'])
    expect(await wrong({ password: 'short' })).toEqual(['password'])
    expect(await wrong({ email: '' })).toEqual(['email'])
    expect((await post('config-file/check')).data).toMatchObject({ db_table_exist: false })
  })

  it('is finished by one of two who finish it at the same moment', async () => {
    const replies = await Promise.all([post('base-info', info), post('base-info', { ...info, name: 'other', email: 'other@example.org' })])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(replies.find(({ status }) => status === 400)?.reason).toBe('error.install.already_installed')
  })

  it('answers nothing any more, leads home, and its owner logs in', async () => {
    for (const path of ['config-file/check', 'db/check', 'init', 'base-info']) expect((await post(path, info)).status).toBe(404)
    const page = await site.visitor().fetch('/install')
    expect([page.status, page.headers.get('location')]).toEqual([302, '/'])
    const login = (e_mail: string) => site.visitor().post('/answer/api/v1/user/login/email', { e_mail, pass: info.password })
    const replies = await Promise.all([login('owner@example.org'), login('other@example.org')])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})
