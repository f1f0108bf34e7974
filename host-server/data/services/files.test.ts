import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { createImages } from './images.ts'
import { createStorage } from './storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'stoa-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('storage', () => {
  const storage = createStorage(folder, { url: 'https://stoa.example' })

  it('keeps a file under its path and answers with its address', async () => {
    expect(await storage.put('post/ab12.png', Buffer.from('one'), 'image/png')).toBe('https://stoa.example/uploads/post/ab12.png')
    await storage.put('post/ab12.png', Buffer.from('two'), 'image/png')
    expect((await storage.get('post/ab12.png'))?.toString()).toBe('two')
    expect(readdirSync(join(folder, 'post'))).toEqual(['ab12.png'])
    expect(readFileSync(join(folder, 'post/ab12.png'), 'utf8')).toBe('two')
    await storage.delete('post/ab12.png')
    await storage.delete('post/ab12.png')
    expect(await storage.get('post/ab12.png')).toBeUndefined()
    expect(await storage.get('post')).toBeUndefined()
  })

  it('refuses paths that lead elsewhere', async () => {
    for (const path of [
      '',
      '/etc/passwd',
      '../x',
      'a/../../x',
      'a//b',
      'a/',
      '.hidden',
      'a/.hidden',
      'a\\b',
      'a\0b',
      'ä',
      'a..b',
      'x'.repeat(400),
    ]) {
      await expect(storage.put(path, Buffer.from('x'), 'text/plain'), path).rejects.toThrow('Not a storage path')
    }
    expect(existsSync(join(folder, '..', 'x'))).toBe(false)
  })
})

describe('images', () => {
  let caller = ''
  const images = createImages(() => caller)
  afterAll(() => images.close())
  const photo = () =>
    sharp({ create: { width: 40, height: 20, channels: 3, background: '#08f' } })
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()

  it('are measured as people see them', async () => {
    expect(await images.inspect(await photo())).toEqual({ format: 'jpeg', width: 20, height: 40, frames: 1 })
    await expect(images.inspect(Buffer.from('no picture'))).rejects.toThrow()
  })

  it('lose what the camera wrote, and stand upright', async () => {
    const cleaned = await images.clean(await photo())
    const facts = await sharp(cleaned).metadata()
    expect(facts).toMatchObject({ format: 'jpeg', width: 20, height: 40 })
    expect(facts.exif).toBeUndefined()
    expect(cleaned.includes('secret place')).toBe(false)
  })

  it('stay animated', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 8, height: 8, channels: 4, background } })
        .png()
        .toBuffer()
    const gif = await sharp(await Promise.all(['#f00', '#0f0', '#00f'].map(frame)), { join: { animated: true } })
      .gif()
      .toBuffer()
    expect(await images.inspect(gif)).toEqual({ format: 'gif', width: 8, height: 8, frames: 3 })
    expect((await sharp(await images.clean(gif), { animated: true }).metadata()).pages).toBe(3)
  })

  it('become square thumbnails', async () => {
    expect(await images.inspect(await images.thumbnail(await photo(), 16))).toMatchObject({ format: 'webp', width: 16, height: 16 })
  })

  it('are counted in all their frames before any is decoded', async () => {
    // Two frames of 10,000 × 10,000 in 62 bytes.
    const frame = Buffer.from('2c0000000010271027000202440100', 'hex')
    const screen = Buffer.concat([
      Buffer.from('GIF89a'),
      Buffer.from([0x10, 0x27, 0x10, 0x27, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
      frame,
      frame,
      Buffer.from([0x3b]),
    ])
    await expect(images.clean(screen)).rejects.toThrow('× 2 frames are more than')
  })

  it('wait their turn, and are refused when too many do', async () => {
    const data = await photo()
    const all = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => {
        caller = `person ${index % 5}`
        return images.thumbnail(data, 16)
      }),
    )
    const reasons = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect(new Set(reasons)).toEqual(new Set(['base.busy']))
    expect(all.length - reasons.length).toBe(33)
  })

  it('of one person stand in nobody else’s way, however many they are', async () => {
    const data = await photo()
    const done: string[] = []
    const ask = (who: string) => {
      caller = who
      return images.thumbnail(data, 16).then(
        () => void done.push(who),
        () => void done.push(`${who} refused`),
      )
    }
    await Promise.all([...Array.from({ length: 40 }, () => ask('many')), ask('one')])
    // One of the others was at work, one was next.
    expect(done.filter((who) => who !== 'many refused').indexOf('one')).toBeLessThanOrEqual(2)
    expect(done.filter((who) => who === 'many refused')).toHaveLength(23)
  })

  it('are given up when they take too long, and the next one is not', async () => {
    const impatient = createImages(() => '', 1)
    await expect(impatient.thumbnail(await photo(), 16)).rejects.toThrow('more than 1 ms')
    await impatient.close()
    expect(await images.inspect(await photo())).toMatchObject({ format: 'jpeg' })
  })
})
