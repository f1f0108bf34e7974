import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import Database from 'better-sqlite3'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../tests/support/browser.ts'

const API = '/answer/api/v1'
const RESET = `${API}/user/password/reset`
const FAILED = 'error.captcha.verification_failed'

interface Shown {
  captcha_id: string
  captcha_img: string
  captcha_sound: string
  verify: boolean
}

const contentOf = (uri: string) => Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')

describe('a captcha of picture and sound', () => {
  let site: Site
  let browser: Browser

  beforeAll(async () => {
    ;[site, browser] = await Promise.all([startSite(), launchBrowser()])
    await site.member('ana')
    await site.switch('captcha', true)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const challenge = async (language = 'en-US') => {
    const headers = { 'content-type': 'application/json', 'accept-language': language }
    const body = JSON.stringify({ method: 'POST', path: RESET })
    const response = await site.visitor().fetch(`${API}/captcha/challenge`, { method: 'POST', headers, body })
    return ((await response.json()) as { data: Shown }).data
  }
  /** What a person would read or hear of the puzzle that was made last. */
  function read(): string {
    const database = new Database(join(site.dataDir, 'stoa.db'), { readonly: true })
    try {
      const newest = "select value from kernel__once where slug = 'captcha' order by rowid desc"
      return (JSON.parse(database.prepare(newest).pluck().get() as string) as { answer: string }).answer
    } finally {
      database.close()
    }
  }
  const reset = (captcha_id: string, captcha_code: string) =>
    site.visitor().post(RESET, { e_mail: 'ana@example.org', captcha_id, captcha_code })

  it('asks nobody while it is off', async () => {
    expect((await reset('', '')).status).toBe(200)
    expect((await challenge()).verify).toBe(false)
    await site.switch('captcha-picture', true)
    expect((await reset('', '')).reason).toBe(FAILED)
  })

  it('lets one call pass whose code is right, and none whose code is wrong or was used', async () => {
    const { captcha_id } = await challenge()
    const code = read()
    expect(code).toMatch(/^\d{6}$/)
    expect((await reset(captcha_id, code)).status).toBe(200)
    expect((await reset(captcha_id, code)).reason).toBe(FAILED)
    const missed = (await challenge()).captcha_id
    const right = read()
    expect((await reset(missed, right === '000000' ? '000001' : '000000')).reason).toBe(FAILED)
    // A wrong try spends it.
    expect((await reset(missed, right)).reason).toBe(FAILED)
    const long = (await challenge()).captcha_id
    expect((await reset(long, `${read()}${' '.repeat(60)}`)).reason).toBe(FAILED)
  })

  it('takes digits as people type them', async () => {
    const { captcha_id } = await challenge()
    const wide = [...read()].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(' ')
    expect((await reset(captcha_id, ` ${wide} `)).status).toBe(200)
  })

  it('draws and speaks, and neither names the digits', async () => {
    const first = await challenge()
    const code = read()
    const second = await challenge('zh-CN')
    for (const { captcha_img } of [first, second]) {
      const picture = contentOf(captcha_img).toString()
      // Strokes of one length in one path, in no order: no text, and no shape that is a digit.
      expect(picture).toMatch(/^<svg [^>]+><rect [^>]+\/><path d="(M[\d. -]+L[\d. -]+)+"[^>]+\/><\/svg>$/)
      expect(picture).not.toContain(code)
      expect(picture.length).toBeLessThan(16_000)
    }
    expect(first.captcha_img).not.toBe(second.captcha_img)
    const [english, chinese] = [contentOf(first.captcha_sound), contentOf(second.captcha_sound)]
    for (const sound of [english, chinese]) {
      expect(sound.toString('latin1', 0, 16)).toMatch(/^RIFF....WAVEfmt $/s)
      expect(sound.readUInt32LE(4)).toBe(sound.length - 8)
      // Each digit stands apart: so many stretches that are loud, with silence between them.
      expect(stretches(sound.subarray(44))).toBe(6)
      expect(sound.length).toBeLessThan(100_000)
    }
  })

  it('has as many digits as the owner wishes', async () => {
    const admin = await site.admin()
    const saved = await admin.put('/answer/admin/api/plugin/config', {
      plugin_slug_name: 'captcha-picture',
      config_fields: { digits: '7' },
    })
    expect(saved.status).toBe(200)
    expect(await challenge().then(read)).toMatch(/^\d{7}$/)
  })

  it.each([
    { locale: 'en-US', colorScheme: 'light' as const, send: 'Continue' },
    { locale: 'zh-CN', colorScheme: 'dark' as const, send: '继续' },
  ])('is read or heard in a narrow window ($locale)', async ({ locale, colorScheme, send }) => {
    const context = await browser.newContext({ locale, colorScheme, baseURL: site.url, viewport: { width: 390, height: 800 } })
    await context.addCookies([{ name: 'stoa_lang', value: locale.replace('-', '_'), url: site.url }])
    const page = await context.newPage()
    await page.goto('/users/account-recovery')
    await page.locator('footer select:enabled').first().waitFor()
    await page.locator('main form input:visible').first().fill('ana@example.org')
    await page.locator('main form button[type=submit]').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img').waitFor()
    const sound = dialog.locator('audio')
    // The browser can play it.
    await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeGreaterThan(3)
    expect(await dialog.getByRole('img').evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(200)
    expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await dialog.getByRole('textbox').fill(read())
    await dialog.getByRole('button', { name: send }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('ana@example.org', { exact: false }).first().waitFor()
    await context.close()
  })

  it('is one of a kind with the work of devices', async () => {
    await site.switch('captcha-pow', true)
    expect((await site.visitor().get(`${API}/captcha/config`)).data).toMatchObject({ slug_name: 'captcha-pow' })
    expect(site.errors).toEqual([])
  })
})

/** Loud stretches, with at least a quarter of a second of silence between them. */
function stretches(samples: Buffer): number {
  let [found, silent] = [0, Number.POSITIVE_INFINITY]
  for (const sample of samples) {
    if (Math.abs(sample - 128) < 20) silent++
    else {
      if (silent > 2000) found++
      silent = 0
    }
  }
  return found
}
