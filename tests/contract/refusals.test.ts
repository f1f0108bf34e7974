import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plugins } from '../support/plugins.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const faults = () => site.plugins.list().flatMap(({ slug, faults }) => (faults.count > 0 ? [[slug, faults.last]] : []))

/** Every call of the site's own API document. */
async function calls(): Promise<{ method: string; path: string }[]> {
  const document = (await (await site.visitor().fetch('/openapi.json')).json()) as { paths: Record<string, object> }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{[^}]+\}/g, '99999999999999999') })),
  )
}

const wrong: [type: string, body: string][] = [
  ['application/json', '{}'],
  ['application/json', '{'],
  ['application/json', '{"object_id":"0","id":"nobody","tags":[null]}'],
  ['text/plain', 'hello'],
  ['multipart/form-data; boundary=x', '--x--'],
]

it('what visitors and members are refused, or do not find, is no fault of a plugin and nothing in the log of errors', async () => {
  const member = await site.member()
  const all = await calls()
  expect(all.length).toBeGreaterThan(100)
  const ask = async (person: TestPerson | ReturnType<Site['visitor']>, method: string, path: string, sent?: [string, string]) => {
    const token = 'token' in person ? person.token : undefined
    const response = await fetch(site.url + path, {
      method,
      headers: { ...(sent && { 'content-type': sent[0] }), ...(token && { authorization: token }) },
      ...(sent && { body: sent[1] }),
      redirect: 'manual',
    })
    await response.body?.cancel()
    expect(response.status, `${method} ${path}`).toBeLessThan(500)
  }
  for (const person of [site.visitor(), member]) {
    for (const { method, path } of all) {
      if (path.includes('logout')) continue
      if (method === 'GET') await ask(person, method, `${path}?page=-1&object_id=x&id=0`)
      else await ask(person, method, path, wrong[all.findIndex((one) => one.path === path) % wrong.length])
    }
  }
  const pages = plugins
    .flatMap(({ manifest }) => manifest.contributes?.routes ?? [])
    .map(({ path }) => path.replace(/:\w+\??/g, 'no-such-thing'))
  for (const path of [...pages, '/nowhere', '/uploads/none.png', '/static/js/none/none.js', '/%ff', '/experiences/10010000000099999']) {
    await ask(site.visitor(), 'GET', path)
  }
  await site.idle()
  expect(faults()).toEqual([])
  expect(site.errors).toEqual([])
})
