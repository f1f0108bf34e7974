import { decodeId, shortId } from '@stoa/sdk'
import { SHARE } from '../shared/api.ts'

export interface Shared {
  /** Public ids. */
  experienceId: string
  answerId?: string
  /** Empty where the page does not know it. */
  title: string
}

export interface Surroundings {
  /** The browser can pass things on to other apps. */
  hasShare: boolean
  inside: 'wecom' | 'wechat' | 'dingtalk' | undefined
}

/** A link that is short: the site leads it to the whole address. @param username of who passes it on, if they are logged in */
export function linkOf({ experienceId, answerId }: Shared, username: string | undefined): string {
  const post = decodeId(experienceId)
  const url = new URL(`/experiences/${post ? shortId(post.kind, post.n) : experienceId}${answerId ? `/${answerId}` : ''}`, location.origin)
  if (username) url.searchParams.set(SHARE, username)
  return url.href
}

/** @throws where the browser lets no page write to the clipboard, as over plain HTTP */
export async function copy(url: string): Promise<void> {
  await navigator.clipboard.writeText(url)
}

/**
 * Lets the system pass it on. Nothing happens when the person thinks better of it.
 * @throws where the browser does not let the page, as when the press was long ago
 */
export async function send({ title }: Shared, url: string): Promise<void> {
  await navigator.share({ title: title || document.title, url }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
}

export function mail({ title }: Shared, url: string): void {
  location.href = `mailto:?subject=${encodeURIComponent(title || document.title)}&body=${encodeURIComponent(url)}`
}
