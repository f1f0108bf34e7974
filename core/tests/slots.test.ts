import { describe, expect, it } from 'vitest'
import type { PageMap, SlotRow } from '../../sdk/pages/page-state.ts'
import { slotEntries } from '../kernel/registry.ts'

/** A map of plugins that only fill slots. */
const mapOf = (plugins: Record<string, SlotRow[]>): PageMap => ({
  ...{ epoch: 1, tag: '', core: '', language: 'en_US', navigation: [], places: {}, boot: {}, languages: [], styles: [] },
  plugins: Object.entries(plugins).map(([slug, slots]) => [slug, 'a', [], slots]),
})
const filling = (slot: string, order = 100, module = 'web/a.tsx'): SlotRow => [slot, module, order, 's']
const shown = (map: PageMap, slot: string, was?: string[]) => slotEntries(map, slot, was).map(({ slug }) => slug)

describe('a slot that had another id before', () => {
  const map = mapOf({
    old: [filling('post.below')],
    first: [filling('posts.footer', 10)],
    last: [filling('posts.footer', 200)],
    both: [filling('posts.footer', 150), filling('post.below', 150)],
  })

  it('shows what fills either, in one order and once', () => {
    expect(shown(map, 'posts.footer', ['post.below'])).toEqual(['first', 'old', 'both', 'last'])
  })

  it('is found by each of them alone, as pages of 1.0 ask for it', () => {
    expect(shown(map, 'post.below')).toEqual(['old', 'both'])
    expect(shown(map, 'posts.footer')).toEqual(['first', 'both', 'last'])
    expect(shown(map, 'constructor')).toEqual([])
  })
})
