import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const path = '/answer/api/v1/file'
const bytes = (data: Buffer | string) => new Uint8Array(Buffer.from(data))
const file = (data: Buffer | string, name: string) => new File([bytes(data)], name)
const picture = (width = 4, height = 3) => sharp({ create: { width, height, channels: 3, background: '#39f' } })
const png = () => picture().png().toBuffer()

describe('uploading a file', () => {
  let site: Site
  let member: TestPerson
  let admin: TestPerson
  const upload = async (person: TestPerson, source: string | undefined, given: File) =>
    person.upload<string>(path, given, source === undefined ? {} : { source })

  beforeAll(async () => {
    site = await startSite({ plugins: ['uploads', 'site', 'locale-en-us'] })
    member = await site.member()
    admin = await site.admin()
  })
  afterAll(() => site.close())

  it('stores a picture under a random name and serves it', async () => {
    const reply = await upload(member, 'post', file(await png(), 'holiday.png'))
    expect(reply).toMatchObject({ status: 200, reason: 'base.success' })
    const address = new URL(reply.data)
    expect(address.pathname).toMatch(/^\/uploads\/post\/[\w-]{20,}-4x3\.png$/)
    const served = await site.visitor().fetch(address.pathname)
    expect(served.status).toBe(200)
    expect(served.headers.get('content-type')).toBe('image/png')
  })

  it('takes place and camera out of a photograph and keeps it upright', async () => {
    const photo = await picture(40, 20)
      .withExif({ IFD0: { Make: 'Camera of Ana' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { data } = await upload(member, 'post', file(photo, 'photo.jpg'))
    const stored = Buffer.from(await (await site.visitor().fetch(new URL(data).pathname)).arrayBuffer())
    expect(stored.includes('Camera of Ana')).toBe(false)
    const { exif, ...facts } = await sharp(stored).metadata()
    expect(exif).toBeUndefined()
    expect(facts).toMatchObject({ format: 'jpeg', width: 20, height: 40 })
  })

  it('refuses what is not what its name says', async () => {
    expect(await upload(member, 'post', file('this is no picture', 'fake.png'))).toMatchObject({
      status: 400,
      reason: 'error.upload.unsupported_file_format',
    })
    expect(await upload(member, 'post', file(await png(), 'renamed.jpg'))).toMatchObject({
      status: 400,
      reason: 'error.upload.unsupported_file_format',
    })
  })

  it('refuses SVG, even from an admin and even when the owner lists it', async () => {
    const svg = file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'icon.svg')
    const before = (await admin.get('/answer/admin/api/siteinfo/write')).data
    await admin.put('/answer/admin/api/siteinfo/write', { ...before, authorized_image_extensions: ['png', 'svg'] })
    expect((await upload(admin, 'post', svg)).status).toBe(400)
    expect((await upload(admin, 'branding', svg)).status).toBe(400)
    await admin.put('/answer/admin/api/siteinfo/write', before)
  })

  it('names the kinds of files that are possible', async () => {
    const reply = await upload(member, 'post', file('hello', 'note.txt'))
    expect(reply).toMatchObject({ status: 400, reason: 'base.request_format_error', data: null })
    expect(reply.msg).toContain('jpg, jpeg, png, gif, webp')
  })

  it('refuses a picture over the size of the settings', async () => {
    const large = Buffer.concat([await png(), Buffer.alloc(4 * 1024 * 1024)])
    const reply = await upload(member, 'post', file(large, 'large.png'))
    expect(reply).toMatchObject({ status: 400, reason: 'error.upload.file_too_large' })
    expect(reply.msg).toContain('4 MB')
  })

  it('refuses a picture with too many pixels', async () => {
    expect(await upload(member, 'post', file(await picture(8000, 5100).png().toBuffer(), 'poster.png'))).toMatchObject({
      status: 400,
      reason: 'error.upload.picture_too_large',
    })
  })

  it('says when the purpose or the file is missing', async () => {
    expect(await upload(member, 'moon', file(await png(), 'dot.png'))).toMatchObject({
      status: 400,
      reason: 'error.upload.source_unsupported',
      data: null,
    })
    expect(await upload(member, undefined, file(await png(), 'dot.png'))).toMatchObject({
      status: 400,
      reason: 'error.upload.source_unsupported',
    })
    const body = new FormData()
    body.set('source', 'post')
    const empty = await member.fetch(path, { method: 'POST', body })
    expect(empty.status).toBe(400)
    expect(await empty.json()).toMatchObject({ reason: 'base.request_format_error', data: null })
  })

  it('refuses what is no form, or half of one', async () => {
    const send = async (type: string, body: string) =>
      (await member.fetch(path, { method: 'POST', body, headers: { 'content-type': type } })).status
    expect(await send('multipart/form-data', 'x')).toBe(400)
    expect(await send('multipart/form-data; boundary=abc', '--abc')).toBe(400)
    expect(
      await send('multipart/form-data; boundary=abc', '--abc\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf'),
    ).toBe(400)
    expect(await send('application/json', '{}')).toBe(400)
  })

  it('lets admins alone change the branding', async () => {
    expect(await upload(member, 'branding', file(await png(), 'logo.png'))).toMatchObject({ status: 403, reason: 'base.forbidden_error' })
    expect((await upload(admin, 'branding', file(await png(), 'logo.png'))).data).toContain('/uploads/branding/')
    expect((await upload(admin, 'branding', file(Buffer.from([0, 0, 1, 0, 1, 0]), 'favicon.ico'))).status).toBe(200)
  })

  it('takes attachments once the owner allows an extension, and keeps their name', async () => {
    expect(await upload(member, 'post_attachment', file('hello', 'note.txt'))).toMatchObject({
      status: 400,
      reason: 'base.request_format_error',
    })
    const before = (await admin.get('/answer/admin/api/siteinfo/write')).data
    await admin.put('/answer/admin/api/siteinfo/write', { ...before, authorized_attachment_extensions: ['txt'] })
    const { data } = await upload(member, 'post_attachment', file('hello', '../we ird..name.txt'))
    expect(new URL(data).pathname).toMatch(/^\/uploads\/files\/post\/[\w-]{20,}\/[\w.-]*name\.txt$/)
  })

  it('is for activated people', async () => {
    expect((await upload(site.visitor(), 'post', file(await png(), 'dot.png'))).status).toBe(401)
    expect((await upload(await site.member('eli', 'inactive'), 'post', file(await png(), 'dot.png'))).status).toBe(403)
  })

  it('answers 404 while the plugin is off and works again afterwards', async () => {
    await site.switch('uploads', false)
    expect(await upload(member, 'post', file(await png(), 'dot.png'))).toMatchObject({ status: 404, reason: 'base.route_not_found' })
    await site.switch('uploads', true)
    expect((await upload(member, 'post', file(await png(), 'dot.png'))).status).toBe(200)
  })

  it('logs no error over all of this', () => {
    expect(site.errors).toEqual([])
  })
})
