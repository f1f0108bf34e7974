import { startSite } from '@stoa/sdk/testing'
import type { Site } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wrongNumbers } from '../support/wrong-numbers.ts'
import type { Played } from './play-story.ts'
import { play } from './play-story.ts'
import { differences } from './shape.ts'
import storyFile from './story.json' with { type: 'json' }
import type { Step, Story } from './story.ts'

const story = storyFile as unknown as Story

/** At least so many steps meet a call that is built; the number only grows. */
const MIN_ANSWERED = 846

/** Steps answered otherwise than recorded, with the reason. */
const OTHERWISE: Record<string, string> = {
  ...Object.fromEntries(
    ['experiences/close-owner', 'experiences/recover-owner', 'answers/answer-recover-owner'].map((step) => [
      step,
      'Authors close and recover their own until staff have the last word (specification).',
    ]),
  ),
  'notifications/notices-sue': 'An empty list is a list, never null.',
  'install/install-db-unreachable': 'The refusal stands at the field that is wrong.',
  'plugins/plugin-on-empty': 'A switch says which way; left out, it would mean off.',
}

/** Codes of notices by mail, which nobody sends yet. */
const withoutNotices = /^accounts\/(unsubscribe|purpose-unsubscribe.*|purpose-login)$/

/** A site on PostgreSQL has its database before the story begins. */
const isPlayed = (site: Site, { step }: Step) =>
  !withoutNotices.test(step) && (site.database === 'sqlite' || !step.startsWith('install/') || step === 'install/install-base-info')

function problems({ status, reason, reply, fields, want, loose, got }: Played): string[] {
  const isWanted = want === '4xx' ? got.status >= 400 && got.status < 500 : got.status === want
  if (isWanted) return []
  if (got.status !== status) return [`is ${got.status} ${got.reason} instead of ${status} ${reason}`]
  if (want !== undefined || loose) return []
  if (got.reason !== reason) return [`gives the reason ${got.reason} instead of ${reason}`]
  if (reply !== undefined) return differences(got.data, story.shapes[reply] ?? 'any')
  const names = Array.isArray(got.data) ? got.data.map((entry) => entry.error_field) : got.data
  return JSON.stringify(names) === JSON.stringify(fields) ? [] : [`refuses ${JSON.stringify(names)} instead of ${JSON.stringify(fields)}`]
}

describe('the recorded story', () => {
  let site: Site
  let databaseUrl: string | undefined
  const answered: Played[] = []

  beforeAll(async () => {
    site = await startSite({
      empty: true,
      restore: async (into) => {
        databaseUrl = into.databaseUrl
      },
    })
    const steps = story.steps.filter((step) => isPlayed(site, step))
    for await (const played of play(site, steps)) {
      if (played.got.reason !== 'base.route_not_found') answered.push(played)
    }
  }, 240_000)
  afterAll(() => site.close())

  it('meets calls that are built', () => {
    expect(answered.length).toBeGreaterThanOrEqual(site.database === 'sqlite' ? MIN_ANSWERED : MIN_ANSWERED - 25)
  })

  it('is answered with the recorded status, reason, names and types', () => {
    const wrong = answered.flatMap((played) => {
      const lines = played.step in OTHERWISE ? [] : problems(played)
      return lines.length > 0 ? [`${played.step} (${played.as}): ${lines.join('; ')}`] : []
    })
    expect(wrong).toEqual([])
  })

  it('is answered otherwise only where it says so', () => {
    const same = answered.filter((played) => played.step in OTHERWISE && problems(played).length === 0)
    expect(same.map(({ step }) => step)).toEqual([])
  })

  it('makes nothing fail inside', () => {
    expect(answered.filter(({ got }) => got.status >= 500).map(({ step }) => step)).toEqual([])
    expect(site.errors).toEqual([])
  })

  it('leaves every number that is kept what there is to count', async () => {
    await site.idle()
    expect(await wrongNumbers(site.dataDir, databaseUrl)).toEqual([])
  })
})
