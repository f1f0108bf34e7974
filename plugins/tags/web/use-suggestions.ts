import { useApi } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { siteCalls } from '../../site/shared/api.ts'
import { tagCalls } from '../shared/api.ts'
import type { BasicTag } from './types.ts'

export interface Suggestion extends BasicTag {
  isNew?: boolean
}

const pauseMs = 200
/** Before anything is typed: the recommended tags, and popular ones up to so many. */
const few = 8
const right = 'tag.add'

/** A name as a slug, as the server makes it. */
export const slugOf = (name: string): string => name.trim().toLowerCase().replace(/\s+/g, '-')

/** Tags for what is typed, with a new one at the end for those who may; `note` says why there is none. */
export function useSuggestions(
  text: string,
  chosen: { slug_name: string }[],
  isOn: boolean,
  onlyKnown = false,
): { options: Suggestion[]; note: 'none' | 'may_not_create' | undefined } {
  const calls = useApi()
  const [found, setFound] = useState<{ text: string; tags: BasicTag[] }>({ text: '', tags: [] })
  const [mayCreate, setMayCreate] = useState<boolean>()
  useEffect(() => {
    if (!isOn || onlyKnown || mayCreate !== undefined) return
    calls
      .send(siteCalls.permission, {
        query: { action: right },
        passingError: true,
        ignoreServerError: true,
      })
      .then(
        (rights) => setMayCreate(rights[right]?.has_permission === true),
        () => setMayCreate(false),
      )
  }, [isOn, onlyKnown, mayCreate, calls])
  useEffect(() => {
    if (!isOn) return
    const stop = new AbortController()
    const quietly = { signal: stop.signal, passingError: true, ignoreServerError: true }
    const look = async (): Promise<BasicTag[]> => {
      const tags = await calls.send(tagCalls.suggest, { query: { tag: text.trim() }, ...quietly })
      if (text.trim() !== '' || tags.length >= few) return tags
      const { list } = await calls.send(tagCalls.page, { query: { page: 1, page_size: few, query_cond: 'popular' }, ...quietly })
      return [...tags, ...list.filter(({ slug_name, reserved }) => !reserved && !tags.some((tag) => tag.slug_name === slug_name))]
    }
    const timer = setTimeout(
      () =>
        look().then(
          (tags) => setFound({ text, tags }),
          () => undefined,
        ),
      text === '' ? 0 : pauseMs,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text, isOn, calls])

  if (!isOn) return { options: [], note: undefined }
  const taken = new Set(chosen.map((tag) => tag.slug_name))
  const slug = slugOf(text)
  const isCurrent = found.text === text
  // Until the server has answered, what was offered for another text stays as far as it suits this one: Enter may take it.
  const suits = (tag: BasicTag) => isCurrent || tag.slug_name.includes(slug) || slugOf(tag.display_name).includes(slug)
  const options: Suggestion[] = found.tags.filter((tag) => !taken.has(tag.slug_name) && suits(tag))
  const isUnknown = slug !== '' && isCurrent && !taken.has(slug) && !found.tags.some((tag) => tag.slug_name === slug)
  if (isUnknown && mayCreate && !onlyKnown)
    options.push({ slug_name: slug, display_name: text.trim(), recommend: false, reserved: false, isNew: true })
  const note = isUnknown && options.length === 0 ? (mayCreate === false ? 'may_not_create' : 'none') : undefined
  return { options, note }
}
