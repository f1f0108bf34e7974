import { inflateRawSync } from 'node:zlib'
import type { Site } from '@stoa/sdk/testing'
import { expect } from 'vitest'

const API = '/answer/api/v1'
const PASSWORD = 'correct horse 7'

/** Has somebody of the test ask for the archive of their own data, and reads it. @returns what each file of it says, by its name */
export async function ownArchive(site: Site, name: string): Promise<Map<string, unknown>> {
  const call = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const init = { method, headers: { 'content-type': 'application/json', ...headers }, ...(body && { body: JSON.stringify(body) }) }
    const reply = await fetch(site.url + API + path, init)
    expect(reply.status, path).toBe(200)
    const cookie = reply.headers.getSetCookie().map((line) => line.split(';')[0])
    return { cookie: cookie.join('; '), ...((await reply.json()) as { data: { access_token: string; url: string } }) }
  }
  const { cookie, data } = await call('POST', '/user/login/email', {}, { e_mail: `${name}@example.org`, pass: PASSWORD })
  const session = { authorization: data.access_token }
  await call('POST', '/user/archive', session)
  await site.idle()
  const { url } = (await call('GET', '/user/archive', session)).data
  const loaded = await fetch(site.url + new URL(url).pathname, { headers: { cookie } })
  expect(loaded.status).toBe(200)
  const files = unzipped(Buffer.from(await loaded.arrayBuffer()))
  return new Map([...files].map(([file, content]) => [file, file.endsWith('.json') ? JSON.parse(content.toString()) : content]))
}

/** Reads what the list at the end of a zip names. */
function unzipped(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'))
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)]
    const [nameLength, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)]
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = zip.subarray(start, start + size)
    files.set(zip.toString('utf8', at + 46, at + 46 + nameLength), method === 0 ? content : inflateRawSync(content))
    at += 46 + nameLength + extra + comment
  }
  return files
}
